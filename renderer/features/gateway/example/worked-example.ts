/** The worked example of the documentation: a UUID that clients see as base64. */
export const gatewayExample = `-- A key stored as 16 bytes and shown as base64.
CREATE DOMAIN app_uuid AS uuid;

-- Responses: domain to JSON.
CREATE FUNCTION app_uuid_to_json(app_uuid) RETURNS json
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_json(encode(decode(replace($1::text, '-', ''), 'hex'), 'base64'))
$$;
CREATE CAST (app_uuid AS json) WITH FUNCTION app_uuid_to_json(app_uuid) AS IMPLICIT;

-- Filters: text to domain.
CREATE FUNCTION app_uuid_from_text(text) RETURNS app_uuid
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT encode(decode($1, 'base64'), 'hex')::uuid
$$;
CREATE CAST (text AS app_uuid) WITH FUNCTION app_uuid_from_text(text) AS IMPLICIT;

-- Bodies: JSON to domain, through text.
CREATE FUNCTION app_uuid_from_json(json) RETURNS app_uuid
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT app_uuid_from_text($1 #>> '{}')
$$;
CREATE CAST (json AS app_uuid) WITH FUNCTION app_uuid_from_json(json) AS IMPLICIT;

CREATE TABLE clients (
  id   app_uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL
);

NOTIFY stepwright, 'reload schema';
`;
