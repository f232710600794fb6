import { expect, it } from 'vitest';
import { practiceRoutes } from '../../electron/practice/routes/route-table.ts';
import type { Endpoint } from '../../shared/wire/endpoint.ts';
import { endpoints } from '../../shared/wire/endpoints.ts';

/** Names of parameters differ, their positions do not. */
const plain = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
const known = new Set(Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${plain(path)}`));

it('the practice service serves only routes that the client uses, and none twice', () => {
  const served = practiceRoutes.map(({ method, path }) => `${method} ${plain(path)}`);
  expect(served.filter((route) => !known.has(route))).toEqual([]);
  expect(new Set(served).size).toBe(served.length);
  expect(served).toContain('GET /v1/stt/transcriptions/{}');
});
