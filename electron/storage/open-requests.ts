import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { readSmallText } from '../platform/node/small-text-file.ts';

/** Beside the ledger, so that a ledger that is damaged, cut off or deleted takes no idempotency key with it. */
const fileName = 'open-requests.json';
const largestBytes = 64 * 1024 * 1024;

const keptRequests = lazySchema(() =>
  z.object({
    /** The ledger's secret, by which the same request has the same fingerprint again. */
    secret: z.string().min(1),
    requests: z.array(
      z.object({
        fingerprint: z.string(),
        action_id: z.string(),
        created_at_ms: z.number(),
        remote_id: z.string().nullable(),
      }),
    ),
  }),
);
export type KeptRequests = z.output<ReturnType<typeof keptRequests>>;

/** A second copy of the open requests, written inside the transactions that change them. */
export function openRequestsBeside(ledgerPath: string) {
  const path = join(dirname(ledgerPath), fileName);
  return {
    /** Null where there is none, or none that can be read. */
    read(): KeptRequests | null {
      const found = readSmallText(path, largestBytes);
      try {
        return found.kind === 'text' ? keptRequests().parse(JSON.parse(found.text)) : null;
      } catch {
        return null;
      }
    },
    /** Writes those of this ledger, durable when it returns. Throws file system errors. */
    write(database: DatabaseSync, secret: string): void {
      const requests = database.prepare('SELECT * FROM open_wishes ORDER BY created_at_ms, fingerprint').all();
      const file = openSync(`${path}.part`, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify({ secret, requests }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.part`, path);
    },
  };
}
