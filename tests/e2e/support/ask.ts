import type { Page } from '@playwright/test';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Client, RequestInput, RequestOutput, StudioBridge } from '../../../shared/ipc/derive.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

type Method = Parameters<Client<Contract>['request']>[0];

/** Asks main as the page does, through the shipped bridge. */
export const ask = <M extends Method>(
  page: Page,
  method: M,
  input: RequestInput<Contract, M>,
): Promise<Result<RequestOutput<Contract, M>, Failure>> =>
  page.evaluate(
    ([name, value]) => (window as unknown as { studio: StudioBridge }).studio.request(name as string, value),
    [method, input] as const,
  ) as Promise<Result<RequestOutput<Contract, M>, Failure>>;
