import { expect, test } from 'vitest';
import { failureActions } from '../../../shared/domain/failures/actions.ts';
import { failureRows, isKnownRow, type KnownRow } from '../../../shared/domain/failures/rows.ts';
import { catalogues } from '../../../shared/i18n/catalogues.ts';
import { plannedRows } from './planned-rows.ts';

const outcomes: Readonly<Record<string, string>> = {
  N: 'not_sent',
  R: 'refused',
  U: 'unknown',
  A: 'accepted',
  OK: 'accepted',
};
const scopes: Readonly<Record<string, string>> = { i: 'item', q: 'queue', p: 'product', a: 'app' };
/** A microphone is no client of the service, and tools use a protocol of their own. */
const notOfAClient = new Set(['This computer', 'MCP server']);
/** Rows that only report success, or that the app handles without asking. */
const needNoAction = new Set(
  'E-020 E-021 E-023 E-026 E-101 E-106 E-108 E-110 E-128 E-129 E-131 E-132 E-135 E-138 E-140 E-062 E-183 E-207 E-208 E-209 E-210'.split(
    ' ',
  ),
);

test('the plan has 179 rows, none twice', () => {
  expect(plannedRows).toHaveLength(179);
  expect(new Set(plannedRows.map(({ row }) => row)).size).toBe(179);
});

const met = plannedRows.filter(({ row, about }) => !notOfAClient.has(about) || isKnownRow(row));

test('every row that a client can meet is in the table', () => {
  const clients = plannedRows.filter(({ about }) => !notOfAClient.has(about));
  expect(clients.filter(({ row }) => !isKnownRow(row)).map(({ row }) => row)).toEqual([]);
  expect(clients.length).toBeGreaterThan(130);
});

test.each(met)(
  '$row has the outcome and the scope of the plan, strings in three languages and an action',
  (planned) => {
    const { row } = planned;
    if (!isKnownRow(row)) throw new Error(`${row} is not in the table`);
    const rule = failureRows[row];
    if (!planned.outcomes.includes('-'))
      expect(planned.outcomes.map((letter) => outcomes[letter])).toContain(rule.outcome);
    if (!planned.scopes.includes('-')) expect(planned.scopes.map((letter) => scopes[letter])).toContain(rule.scope);
    expect(['same_key', 'look_first', 'wait_user', 'never']).toContain(rule.retry);
    for (const language of ['uz', 'ru', 'en'] as const) {
      const words = catalogues[language].errors[row];
      expect([words.title.length > 2, words.text.length > 2]).toEqual([true, true]);
    }
    for (const action of rule.actions) expect(failureActions).toContain(action);
    expect(rule.actions.length > 0 || needNoAction.has(row)).toBe(true);
  },
);

/** These explain what to do where they are shown: on the first screen, during the action, in the move, to a program. */
const toldInPlace: ReadonlySet<KnownRow> = new Set(['E-236', 'E-238', 'E-239', 'E-241', 'E-242', 'E-243']);

test('a row that stops a queue or needs the user always has an action', () => {
  const stuck = (Object.keys(failureRows) as KnownRow[]).filter(
    (row) => !toldInPlace.has(row) && failureRows[row].retry === 'wait_user' && failureRows[row].actions.length === 0,
  );
  expect(stuck).toEqual([]);
});

test('rows beyond the plan are our own and come after it', () => {
  const planned = new Set(plannedRows.map(({ row }) => row));
  const own = Object.keys(failureRows).filter((row) => !planned.has(row));
  expect(own.every((row) => row >= 'E-230')).toBe(true);
});
