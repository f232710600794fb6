import type { FailureRule } from './row.ts';
import { appRows } from './rows-app.ts';
import { accountRows, httpRows } from './rows-http.ts';
import { cloneRows, askRows } from './rows-ask.ts';
import { liveRows } from './rows-live.ts';
import { computerRows } from './rows-computer.ts';
import { networkRows } from './rows-network.ts';

const table = {
  ...networkRows,
  ...httpRows,
  ...accountRows,
  ...askRows,
  ...cloneRows,
  ...liveRows,
  ...computerRows,
  ...appRows,
};

/** A row that this version of the app knows. Its strings in every language have its number as their key. */
export type KnownRow = keyof typeof table;

/** The error table as data. */
export const failureRows: Readonly<Record<KnownRow, FailureRule>> = table;

/** Whether a row (of a stored failure, perhaps from a newer version) is in the table. */
export const isKnownRow = (row: string): row is KnownRow => Object.hasOwn(failureRows, row);
