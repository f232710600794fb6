import type { Contract } from '../../../shared/ipc/contract.ts';
import type { StreamHandlers } from '../../../shared/ipc/derive.ts';
import { ok } from '../../../shared/result/result.ts';

/** Every stream of the contract; one that nobody answers does not compile. */
export const streamHandlers: StreamHandlers<Contract> = {
  'diagnostics.echo': async (_options, stream) => {
    let number = 0;
    for await (const samples of stream.incoming) {
      number += 1;
      await stream.send({ number, samples });
    }
    return ok(undefined);
  },
};
