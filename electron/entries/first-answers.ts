import { firstEvents, firstRequests } from '../../shared/ipc/first-requests.ts';
import type { Result } from '../../shared/result/result.ts';

type Ask = (method: string, input: object) => Promise<Result<unknown>>;

/**
 * Sends the first requests of a page while its script is still loading. Events that arrive meanwhile are kept for the
 * first listener, so that an early answer is never stale. Each early answer is used once, for a request without other
 * input; later requests go to main.
 */
export function askFirst(ask: Ask) {
  const answers = new Map<string, Promise<Result<unknown>>>(firstRequests.map((method) => [method, ask(method, {})]));
  const kept = new Map<string, unknown[]>(firstEvents.map((event) => [event, [] as unknown[]]));
  return {
    /** The early answer to a request; undefined when there is none. */
    take(method: string, input: unknown): Promise<Result<unknown>> | undefined {
      if (typeof input !== 'object' || input === null || Object.keys(input).length > 0) return undefined;
      const answer = answers.get(method);
      answers.delete(method);
      return answer;
    },
    /** Keeps the payloads of an event until somebody subscribes to it. */
    hear(event: string, payload: unknown): void {
      kept.get(event)?.push(payload);
    },
    /** The kept payloads of an event, for its first subscriber. */
    heard(event: string): readonly unknown[] {
      const heard = kept.get(event) ?? [];
      kept.delete(event);
      return heard;
    },
  };
}
