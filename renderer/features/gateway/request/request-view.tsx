import { Send } from 'lucide-react';
import type { GatewayCatalogView, GatewayTableView } from '../../../../core/contract/gateway.ts';
import { useGatewayRequest } from '../../../api/queries/gateway-queries.ts';
import { useServerAddress } from '../../../api/server-address.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { useQueryParams } from '../../../app/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FieldErrorScope } from '../../../ui/controls/field-error-scope.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { MultilineField } from '../../../ui/controls/text-box.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { FormErrorNotice } from '../../../ui/overlay/refusal-notice.tsx';
import { CopyableText } from '../copied.tsx';
import styles from '../gateway.module.css';
import { keyOf } from '../tables/key-of.ts';
import { formatCurl } from './format-curl.ts';
import { FilterBuilder } from './path-builder.tsx';
import { type HttpMethod, useRequestDraft } from './request-draft.ts';
import { ResponseView } from './response-view.tsx';

const methods: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
const methodChoices = methods.map((value) => ({ value, label: value }));

/** The request builder, with the response. */
export function RequestView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const [query, change] = useQueryParams();
  const { tables } = catalog;
  const table = tables.find((one) => keyOf(one) === query.get('table')) ?? tables[0];
  return (
    <ScrollArea className={styles.request} aria-label="Try a request">
      <Exchange
        // Reset for another table.
        key={table === undefined ? '' : keyOf(table)}
        table={table}
        catalog={catalog}
        onTable={(chosen) => change({ table: chosen })}
      />
    </ScrollArea>
  );
}

interface ExchangeProps {
  readonly table: GatewayTableView | undefined;
  readonly catalog: GatewayCatalogView;
  readonly onTable: (key: string) => void;
}

function Exchange({ table, catalog, onTable }: ExchangeProps) {
  const draft = useRequestDraft(table, catalog.schemas);
  const sending = useGatewayRequest();
  const may = useCan('gateway.request');
  const address = `${useServerAddress()}/gateway`;
  const { request, invalidLine } = draft;
  return (
    <FieldErrorScope error={sending.error}>
      <div className={styles.form}>
        <div className={styles.line}>
          <Select
            label="Method"
            isLabelled
            value={request.method}
            choices={methodChoices}
            onChange={draft.setMethod}
          />
          {table !== undefined && <TableChoice table={table} catalog={catalog} onTable={onTable} />}
          <TextField
            label={`Path after ${address}`}
            name="path"
            value={request.path}
            onChange={draft.setPath}
          />
        </div>
        {table !== undefined && <FilterBuilder table={table} path={request.path} onChange={draft.setPath} />}
        <Texts draft={draft} />
        <div className={styles.send}>
          <Button
            variant="primary"
            icon={Send}
            unavailable={may.reason ?? invalidLine}
            isDisabled={sending.isPending}
            onPress={() => sending.mutate(request)}
          >
            {sending.isPending ? 'Sending…' : 'Send'}
          </Button>
          <span className={styles.muted}>or with curl:</span>
        </div>
        <CopyableText name="curl command" label="Copy as curl" text={formatCurl(request, address)} />
      </div>
      <FormErrorNotice error={sending.error} />
      {sending.data !== undefined && <ResponseView response={sending.data} />}
    </FieldErrorScope>
  );
}

/** Headers and body of the request. */
function Texts({ draft }: { readonly draft: ReturnType<typeof useRequestDraft> }) {
  return (
    <>
      <MultilineField
        label="Headers"
        name="headers"
        rows={3}
        text={draft.headerText}
        error={draft.invalidLine}
        onChange={draft.setHeaderText}
      />
      {draft.hasBody && (
        <MultilineField
          label="Body"
          name="body"
          rows={6}
          placeholder='{"name": "Ann"}'
          text={draft.body}
          onChange={draft.setBody}
        />
      )}
    </>
  );
}

function TableChoice({ table, catalog, onTable }: ExchangeProps & { readonly table: GatewayTableView }) {
  const choices = catalog.tables.map((one) => ({
    value: keyOf(one),
    label: catalog.schemas.length === 1 ? one.name : keyOf(one),
  }));
  return <Select label="Table" isLabelled value={keyOf(table)} choices={choices} onChange={onTable} />;
}
