import { Input } from 'mediabunny';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sourceOf } from '../../tests/support/byte-source-of.ts';
import { decodeOpus } from './decode-opus.ts';

test('a recording that turns out to have no sound is closed again', async () => {
  const closed = vi.spyOn(Input.prototype, 'dispose');
  onTestFinished(() => closed.mockRestore());
  await expect(decodeOpus(sourceOf(new Uint8Array(3000))).next()).rejects.toThrow('unsupported');
  expect(closed).toHaveBeenCalledOnce();
});
