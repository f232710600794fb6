import { firstEvents, firstRequests } from '../../shared/ipc/first-requests.ts';
import type { Result } from '../../shared/result/result.ts';

type Ask = (method: string, input: object) => Promise<Result<unknown>>;

/**
 * Asks what a page will ask first while its script is still being read, and keeps what is told meanwhile for whoever
 * listens first, so that an early answer never grows old. Each answer is given once, for a question that says nothing
 * else; later ones go to main.
 */
export function askFirst(ask: Ask) {
  const answers = new Map<string, Promise<Result<unknown>>>(firstRequests.map((method) => [method, ask(method, {})]));
  const told = new Map<string, unknown[]>(firstEvents.map((event) => [event, [] as unknown[]]));
  return {
    /** The answer that is on its way; undefined when there is none. */
    take(method: string, input: unknown): Promise<Result<unknown>> | undefined {
      if (typeof input !== 'object' || input === null || Object.keys(input).length > 0) return undefined;
      const answer = answers.get(method);
      answers.delete(method);
      return answer;
    },
    /** Keeps what is told of an event as long as nobody has listened to it. */
    hear(event: string, payload: unknown): void {
      told.get(event)?.push(payload);
    },
    /** What was told of the event so far, to the first who asks. */
    heard(event: string): readonly unknown[] {
      const heard = told.get(event) ?? [];
      told.delete(event);
      return heard;
    },
  };
}
