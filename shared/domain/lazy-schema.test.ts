import { expect, it } from 'vitest';
import { z } from 'zod';
import { lazySchema } from './lazy-schema.ts';

it('builds a schema on first use, and once', () => {
  let times = 0;
  const shape = lazySchema(() => {
    times += 1;
    return z.string();
  });
  expect(times).toBe(0);
  expect(shape()).toBe(shape());
  expect(times).toBe(1);
});
