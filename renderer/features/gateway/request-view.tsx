import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import type { GatewayTableView, GatewayCatalogView } from '../../../core/contract/gateway.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choices.tsx';
import { TextField, FieldErrorScope } from '../../ui/fields.tsx';
import { formatDuration } from '../../format/time.ts';
import { getMeaning } from '../../format/labels.ts';
import { useGatewayRequest, useServerAddress } from '../../api/gateway-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { MultilineField } from '../../ui/text-box.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { FormErrorNotice } from '../../ui/dialog.tsx';
import { BodyView, HeaderList } from '../webhooks/message-table.tsx';
import styles from './gateway.module.css';
import { addFilter, builtOperators, formatCurl, type HttpMethod, useRequestDraft } from './request-draft.ts';
import { CopyableText } from './example-query.tsx';
import { getKey } from './tables-view.tsx';

interface PathBuilderProps {
  readonly table: GatewayTableView;
  readonly path: string;
  readonly onChange: (path: string) => void;
}

/** Adds column filters to a path, without knowledge of the query syntax. */
function FilterBuilder({ table, path, onChange }: PathBuilderProps) {
  const [column, setColumn] = useState('');
  const [operator, setOperator] = useState<(typeof builtOperators)[number]['value']>('eq');
  const [value, setValue] = useState('');
  const names = table.columns.map(({ name }) => name);
  const chosen = names.includes(column) ? column : (names[0] ?? '');
  if (chosen === '') return null;
  const add = (): void => {
    onChange(addFilter(path, { column: chosen, operator, value }));
    setValue('');
  };
  return (
    <div className={styles.builder} role="group" aria-label="Filter">
      <Select
        label="Column"
        isLabelled
        value={chosen}
        choices={names.map((name) => ({ value: name, label: name }))}
        onChange={setColumn}
      />
      <Select label="Operator" isLabelled value={operator} choices={builtOperators} onChange={setOperator} />
      <TextField label="Value" value={value} onChange={setValue} />
      <Button icon={Plus} onPress={add}>
        Add filter
      </Button>
    </div>
  );
}

/** The response: status, time, body and headers. */
function ResponseView({ response }: { readonly response: OperationOutput<'gateway.request'> }) {
  const { status, tookMs, headers, body = '', isCut } = response;
  return (
    <section className={styles.response} aria-label="Response">
      <p className={styles.outcome} role="status" data-tone={status < 400 ? 'good' : 'bad'}>
        <b>{status}</b> {getMeaning(status)} <span className={styles.muted}>in {formatDuration(tookMs)}</span>
      </p>
      <BodyView
        title="Body"
        body={body}
        note={isCut ? 'Response truncated. Add limit= to the path.' : undefined}
      />
      <h3>Headers</h3>
      <HeaderList headers={headers} />
    </section>
  );
}

const methods: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
const methodChoices = methods.map((value) => ({ value, label: value }));

/** The request builder, with the response. */
export function RequestView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const [query, change] = useQueryParams();
  const { tables } = catalog;
  const table = tables.find((one) => getKey(one) === query.get('table')) ?? tables[0];
  return (
    <ScrollArea className={styles.request} aria-label="Try a request">
      <Exchange
        // Reset for another table.
        key={table === undefined ? '' : getKey(table)}
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
    value: getKey(one),
    label: catalog.schemas.length === 1 ? one.name : getKey(one),
  }));
  return <Select label="Table" isLabelled value={getKey(table)} choices={choices} onChange={onTable} />;
}
