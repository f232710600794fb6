import { expect, it } from 'vitest';
import { z } from 'zod';
import { described } from './described.ts';

it('describes a shape when it is first asked for, and once', () => {
  let times = 0;
  const shape = described(() => {
    times += 1;
    return z.string();
  });
  expect(times).toBe(0);
  expect(shape()).toBe(shape());
  expect(times).toBe(1);
});
