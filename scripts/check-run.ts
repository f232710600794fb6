import { parseArgs } from 'node:util';
import { findViolations } from './check-run/invariants.ts';
import { readEvidence } from './check-run/read-evidence.ts';

// Checks the guarantees of a run against the records of both sides, and shares no code with the app: node
// scripts/check-run.ts --library <library.db> --service <state folder> [--items N] [--done N]
const { values } = parseArgs({
  options: {
    library: { type: 'string' },
    service: { type: 'string' },
    items: { type: 'string' },
    done: { type: 'string' },
  },
});
const count = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

if (values.library === undefined || values.service === undefined) {
  process.stderr.write('Say --library and --service.\n');
  process.exit(2);
}
const evidence = readEvidence(values.library, values.service);
const violations = findViolations(evidence, { items: count(values.items), done: count(values.done) });
const { jobs, events, attempts, acceptances, texts } = evidence;
for (const { invariant, at, what } of violations) process.stdout.write(`${invariant} ${at} ${what}\n`);
process.stdout.write(
  `${jobs.length} items, ${events.length} events, ${texts.length} texts, ${attempts.length} requests, ` +
    `${acceptances.length} acceptances: ${violations.length === 0 ? 'I1 I2 I3 I4 I7 hold' : `${violations.length} violations`}\n`,
);
// A run without records proves nothing.
if (jobs.length === 0 || attempts.length === 0) process.exit(2);
process.exit(violations.length === 0 ? 0 : 1);
