import { expect, test } from 'vitest';
import { failureRows } from '../../shared/domain/failures/rows.ts';
import { kindOfNumber, type FailureKind } from '../../shared/result/failure-kinds.ts';

const outcomes: Readonly<Record<string, string>> = {
  N: 'not_sent',
  R: 'refused',
  U: 'unknown',
  A: 'accepted',
  OK: 'accepted',
};
const scopes: Readonly<Record<string, string>> = { i: 'item', q: 'queue', p: 'product', a: 'app' };

/**
 * The table of errors of the reliability plan, copied from there and not from our rows: the outcome and the scope, and
 * the numbers of the rows that have them. Several letters: it depends. `-`: no request or no queue is involved.
 */
const plan = `
  N q: 001 002 003 004 005 006 007 008 059 144
  N i: 175 211
  N/U i: 010 011
  R i: 030 031 040 042 046 047 048 049 050 054 055 061 065 066 072 076 077 078 079 080 086 087 088 089 091 092 093 094
  R i: 100 121 127 128 129 130 131 142 151 160 162 163 170 174
  R q: 034 035 036 038 053 068
  R p: 033 037 039 043 058 062 063 064 075 081 083 085 090 096 122 123 126 133 143
  R q/a: 032
  R q/p: 052
  R/U i: 103
  R/U p: 153
  R/A i: 152
  U q: 009 016 057
  U p: 074
  U i: 012 013 014 015 017 019 025 029 041 044 045 051 056 060 067 095 102 104 105 107 109 124 125 134 135 136 137 141
  U i: 146 171 172 173
  A i: 021 022 023 027 028 070 071 073 097 161 164
  A p: 082
  A/U i: 024
  OK i: 020 026 101 108 110 132 140
  - q: 018
  - i: 106 138
  - p: 120 139 150
  - -: 145`;

const rows = plan
  .trim()
  .split(/\n\s*/u)
  .flatMap((line) => {
    const [rule = '', numbers = ''] = line.split(': ');
    const [outcome = '', scope = ''] = rule.split(' ');
    return numbers.split(' ').map((number) => ({ row: `E-${number}`, outcome, scope }));
  });

test('every row has the outcome and the scope of the plan', () => {
  expect(new Set(rows.map(({ row }) => row)).size).toBe(rows.length);
  const misses = rows.filter(({ row, outcome, scope }) => {
    const kind = kindOfNumber(row);
    if (kind === null) return true;
    const hasOutcome = outcome
      .split('/')
      .some((letter) => letter === '-' || outcomes[letter] === failureRows[kind].outcome);
    const hasScope = scope.split('/').some((letter) => letter === '-' || scopes[letter] === failureRows[kind].scope);
    return !hasOutcome || !hasScope;
  });
  expect(misses).toEqual([]);
});

/** These explain what to do where they are shown: on the first screen, during the action, in the move, to a program. */
const toldInPlace: ReadonlySet<FailureKind> = new Set([
  'nothing-open',
  'not-asked-for',
  'library-not-moved',
  'consent-refused',
  'consent-unavailable',
  'message-too-large',
]);

test('a row that stops a queue or needs the user always has an action', () => {
  const stuck = (Object.keys(failureRows) as FailureKind[]).filter(
    (row) => !toldInPlace.has(row) && failureRows[row].retry === 'wait_user' && failureRows[row].actions.length === 0,
  );
  expect(stuck).toEqual([]);
});
