/** What a code of the gateway's own means, and the status of HTTP it comes with. */
export interface CodeFacts {
  readonly status: number;
  readonly meaning: string;
}

/** Every code of a refusal that is not an SQLSTATE (`gateway.md` 2.9); docs/gateway-errors.md shows this table. */
export const gatewayCodes: Readonly<Record<string, CodeFacts>> = {
  PGRST000: { status: 503, meaning: 'The database cannot be reached, or the embedded one cannot be opened.' },
  PGRST001: { status: 503, meaning: 'The connection to the database was lost, or is closed.' },
  PGRST002: { status: 503, meaning: 'The catalog of the database cannot be read.' },
  PGRST003: { status: 504, meaning: 'All connections to the database were taken for too long.' },
  PGRST100: {
    status: 400,
    meaning: 'The query string cannot be parsed; `details` says what was expected where.',
  },
  PGRST101: { status: 405, meaning: 'A function takes only GET, HEAD, POST and OPTIONS.' },
  PGRST102: {
    status: 400,
    meaning: 'The body is empty, broken, of another type, or its objects have unlike keys.',
  },
  PGRST103: { status: 416, meaning: 'No row can be in the range that limit, offset or `Range` ask for.' },
  PGRST105: { status: 405, meaning: 'A PUT must name exactly the primary key, each column by `eq`.' },
  PGRST106: { status: 406, meaning: 'The schema of the profile header is not exposed.' },
  PGRST107: { status: 406, meaning: 'None of the accepted media types can be given.' },
  PGRST108: {
    status: 400,
    meaning: 'A filter, order or limit is for a resource that `select` does not embed.',
  },
  PGRST111: { status: 500, meaning: 'SQL has set `response.headers` to what cannot be sent.' },
  PGRST112: { status: 500, meaning: 'SQL has set `response.status` to what is no status.' },
  PGRST114: { status: 400, meaning: 'A PUT takes no limit and no offset.' },
  PGRST115: { status: 400, meaning: 'The key in the body of a PUT is not the one in its address.' },
  PGRST116: { status: 406, meaning: 'One object was asked for, and the result has none or several rows.' },
  PGRST117: { status: 405, meaning: 'Relations take no such method.' },
  PGRST118: { status: 400, meaning: 'Rows cannot be ordered by a resource of which each has many.' },
  PGRST120: {
    status: 400,
    meaning: 'An embedded resource can only be tested by `is.null` and `not.is.null`.',
  },
  PGRST121: { status: 500, meaning: 'SQL has raised `PGRST` with what cannot be read.' },
  PGRST122: { status: 400, meaning: 'A preference is unknown, and `handling=strict` forbids that.' },
  PGRST123: { status: 400, meaning: 'Aggregates are not allowed: `gateway.allowAggregates`.' },
  PGRST124: { status: 400, meaning: 'More rows would be changed than `max-affected` allows; none was.' },
  PGRST125: { status: 404, meaning: 'No path of the gateway has this form.' },
  PGRST128: { status: 400, meaning: '`max-affected` needs a function that returns a set.' },
  PGRST200: { status: 400, meaning: 'No relationship leads to the embedded resource.' },
  PGRST201: {
    status: 300,
    meaning: 'Several relationships lead to the embedded resource; `hint` says how to choose.',
  },
  PGRST202: { status: 404, meaning: 'There is no function of this name and these arguments.' },
  PGRST203: { status: 300, meaning: 'Several functions take these arguments.' },
  PGRST204: { status: 400, meaning: 'The body or `columns` names a column that there is not.' },
  PGRST205: { status: 404, meaning: 'There is no table or view of this name in the schema.' },
  PGRST300: { status: 500, meaning: 'A token was sent, but no key is configured.' },
  PGRST301: { status: 401, meaning: 'The token is broken, or no key has signed it.' },
  PGRST302: { status: 401, meaning: 'A token is needed: there is no role for those without.' },
  PGRST303: { status: 401, meaning: 'A claim of the token does not hold: time, audience or role.' },
  PGRSTX00: { status: 500, meaning: 'The gateway itself failed; the log of the engine has the details.' },
  STEP001: {
    status: 400,
    meaning: 'A PATCH or DELETE without filters would touch every row, and nothing allows that.',
  },
};
