import type { RequestInput, RequestOutput } from '../../../renderer/bridge/types.ts';
import type { Page } from '@playwright/test';
import type { Procedures } from '../../../electron/sections/procedures.ts';
import type { StudioBridge } from '../../../electron/ipc/bridge.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

type Method = keyof Procedures;

/** Asks main as the page does, through the shipped bridge. */
export const ask = <M extends Method>(
  page: Page,
  method: M,
  input: RequestInput<M>,
): Promise<Result<RequestOutput<M>, Failure>> =>
  page.evaluate(
    ([name, value]) => (window as unknown as { studio: StudioBridge }).studio.request(name as string, value),
    [method, input] as const,
  ) as Promise<Result<RequestOutput<M>, Failure>>;
