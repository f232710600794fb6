import { Input } from 'mediabunny';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decodeOpus } from './decode-opus.ts';

test('a recording that turns out to have no sound is closed again', async () => {
  const closed = vi.spyOn(Input.prototype, 'dispose');
  onTestFinished(() => closed.mockRestore());
  await expect(decodeOpus('data:video/webm;base64,AAAA', 'all').next()).rejects.toThrow('unsupported');
  expect(closed).toHaveBeenCalledOnce();
});
