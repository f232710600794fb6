import { DatabaseSync } from 'node:sqlite';

/**
 * Loaded before a command: kills it with SIGKILL right before or right after its n-th commit (`DIE_AT=7-after`), like a
 * power loss.
 */
const [, number = '0', side] = /^(\d+)-(before|after)$/u.exec(process.env['DIE_AT'] ?? '') ?? [];
const dyingAt = Number(number);
let commits = 0;
const exec: unknown = Reflect.get(DatabaseSync.prototype, 'exec');

DatabaseSync.prototype.exec = function counted(this: DatabaseSync, sql: string): void {
  const isTheOne = sql === 'COMMIT' && ++commits === dyingAt;
  if (isTheOne && side === 'before') process.kill(process.pid, 'SIGKILL');
  if (typeof exec === 'function') Reflect.apply(exec, this, [sql]);
  if (isTheOne) process.kill(process.pid, 'SIGKILL');
};
