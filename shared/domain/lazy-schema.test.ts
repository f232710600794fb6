import { expect, it } from 'vitest';
import { z } from 'zod';
import { lazySchema } from './lazy-schema.ts';

it('describes a shape when it is first asked for, and once', () => {
  let times = 0;
  const shape = lazySchema(() => {
    times += 1;
    return z.string();
  });
  expect(times).toBe(0);
  expect(shape()).toBe(shape());
  expect(times).toBe(1);
});
