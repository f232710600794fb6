import { codeRows } from '../../../shared/domain/failures/code-rows.ts';
import { liveCodeRows } from '../../../shared/domain/failures/live-rows.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import { endpoints } from '../../../shared/wire/endpoints.ts';
import { streamEvents, webhookEvents } from '../../../shared/wire/events.ts';
import { permissionLevels, scopeGrants } from '../../../shared/wire/grants.ts';
import { limits } from '../../../shared/wire/limits.ts';
import { serviceCodes } from '../../../shared/wire/service-codes.ts';
import { serviceStates } from '../../../shared/wire/states.ts';
import { tools, type ToolDefinition } from '../../../shared/wire/tools.ts';
import type { DocumentRow } from './document-row.ts';

/**
 * A part of the code that has to cover every row of the document. `null`: this column does not cover rows of that kind.
 * A practice column names the routes, states and codes that the practice service serves.
 */
export interface ParityColumn {
  readonly title: string;
  readonly names: Readonly<Record<DocumentRow['kind'], ReadonlySet<string> | null>>;
}

const methodOf = ({ transport, method }: Endpoint): string =>
  transport === 'http' ? method : transport === 'websocket' ? 'WSS' : 'GRPC';

const routeNames = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) =>
  endpoint.evidence === 'assumed' ? `not shown: ${name}` : `${methodOf(endpoint)} ${endpoint.path}`,
);

const stateNames = Object.entries(serviceStates).flatMap(([machine, states]) =>
  states.map((state) => `${machine}: ${state}`),
);

const toolNames = Object.entries<ToolDefinition>(tools).map(([name, { input }]) =>
  [name, ...Object.keys(input.properties).map((field) => (input.required.includes(field) ? `${field}*` : field))].join(
    ' ',
  ),
);

function limitNames(value: unknown, at: string): readonly string[] {
  const own = at === '' ? [] : [`${at} = ${JSON.stringify(value)}`];
  const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
  const inner = isTree ? Object.entries(value) : [];
  return [...own, ...inner.flatMap(([name, part]) => limitNames(part, at === '' ? name : `${at}.${name}`))];
}

const eventNames = [
  ...Object.entries(webhookEvents).map(([type, { object, fields }]) =>
    fields.length === 0 ? `${type}: ${object}` : `${type}: ${object} ${fields.join(' ')}`,
  ),
  ...Object.entries(streamEvents).flatMap(([stream, { server }]) => server.map((event) => `${stream} ${event}`)),
];

/** The tables that the client uses. */
export const wireColumn: ParityColumn = {
  title: 'wire',
  names: {
    route: new Set(routeNames),
    state: new Set(stateNames),
    code: new Set(serviceCodes.map(({ status, code }) => `${status ?? 'event'} ${code}`)),
    permission: new Set(Object.entries(permissionLevels).map(([id, levels]) => `${id}: ${levels.join(' ')}`)),
    scope: new Set(Object.entries(scopeGrants).map(([scope, grant]) => `${scope} = ${grant}`)),
    limit: new Set(limitNames(limits, '')),
    event: new Set(eventNames),
    tool: new Set(toolNames),
  },
};

/** Codes that have a row of their own among the failures. `not_found` and a repeated key depend on the request. */
export const failureColumn: ParityColumn = {
  title: 'failures',
  names: {
    route: null,
    state: null,
    code: new Set(
      serviceCodes
        .filter(({ status, code }) =>
          status === null
            ? liveCodeRows.has(code)
            : codeRows.has(code) || ['not_found', 'duplicate_idempotency_key'].includes(code),
        )
        .map(({ status, code }) => `${status ?? 'event'} ${code}`),
    ),
    permission: null,
    scope: null,
    limit: null,
    event: null,
    tool: null,
  },
};
