import { createInterface } from 'node:readline';
import { createKeytarStore } from '../../electron/platform/keychain/keytar-store.ts';
import { Secret } from '../../electron/services/secrets/key-service.ts';

/**
 * Uses the real keychain in a process of its own, because a process keeps its first bus. One command a line, one answer
 * a line; the value of a secret is returned only because the test has to compare it.
 */
interface Command {
  readonly ask: 'read' | 'write' | 'clear';
  readonly account: string;
  readonly value?: string;
}

const say = (message: object) => console.log(JSON.stringify(message));
const store = createKeytarStore({
  timeLimitMs: Number(process.argv[2]),
  onLateRead: (account, read) => say({ late: account, state: read.state }),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, account, value = '' } = JSON.parse(line) as Command;
  const startedMs = performance.now();
  const answer = ask === 'write' ? await store.write(account, new Secret(value)) : await store[ask](account);
  const secret = 'secret' in answer ? { value: answer.secret.reveal() } : {};
  say({ state: answer.state, ...secret, ms: Math.round(performance.now() - startedMs) });
}
