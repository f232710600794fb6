import type { Failure } from '../../../shared/result/failure.ts';
import type { HttpCore } from './http-core.ts';

/** Who wants to know what a key turns out to be allowed. */
export interface GrantWatch {
  /** A call of this product was refused for a missing grant (E-037). */
  readonly refused: (product: string, failure: Failure) => void;
  /** A change or creation of this product was taken. */
  readonly used: (product: string) => void;
}

/** Tells of what every call shows about the key; changes nothing. */
export const watchGrants = (core: HttpCore, watch: GrantWatch): HttpCore => ({
  ...core,
  async call(call) {
    const reply = await core.call(call);
    const { product, method } = call.endpoint;
    if (!reply.ok && reply.error.row === 'E-037') watch.refused(product, reply.error);
    else if (reply.ok && method !== 'GET') watch.used(product);
    return reply;
  },
});
