import type { Client, StudioBridge } from '../../shared/ipc/derive.ts';
import { contract, type Contract } from '../../shared/ipc/contract.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openStream } from './open-stream.ts';

declare global {
  interface Window {
    /** Set by the preload, before any script of the page runs. */
    readonly studio: StudioBridge;
  }
}

/** All requests of the page to main, typed by the contract. */
export interface StudioClient extends Client<Contract> {
  /** An opaque token for a dropped or picked file; its path never reaches the page. */
  fileTokenFor(file: File): Promise<Result<string>>;
}

/**
 * Wraps the preload's bridge. Refusals are returned as values; an answer that violates the contract becomes the failure
 * `contract_broken`, never an exception in a screen.
 */
export function createStudioClient(bridge: StudioBridge): StudioClient {
  return {
    async request(method, input) {
      const answer = await bridge.request(method, input);
      if (!answer.ok) return answer;
      const parsed = contract.requests[method].output().safeParse(answer.value);
      if (!parsed.success) return err(contractBroken);
      return ok(parsed.data as never);
    },
    subscribe(event, listener) {
      return bridge.on(event, (payload) => {
        const parsed = contract.events[event].payload().safeParse(payload);
        if (parsed.success) listener(parsed.data as never);
      });
    },
    open: (stream, options) => openStream(bridge, stream, contract.streams[stream], options),
    fileTokenFor: bridge.fileTokenFor,
  };
}

const contractBroken = makeFailure('E-230', { code: 'contract_broken' });
