import { explainBeforeSending, mapOfList, type Product } from '../../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';

/** Why work of this product should not be sent with the key in use; null: nothing speaks against it. */
export function useSendBlocker(product: Product): Failure | null {
  const { mode, key, access } = useConnection();
  return mode === 'service' && key.present ? explainBeforeSending(mapOfList(access.products), product) : null;
}
