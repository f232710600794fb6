import { useQuery } from '@tanstack/react-query';
import { explainBeforeSending, mapOfList, type Product } from '../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { useConnection } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { connectionReportQuery } from './connection-report-query.ts';

/** Why work of this product should not be sent with the key in use; null: nothing is known against it. */
export function useWhyNotToSend(product: Product): Failure | null {
  const studio = useStudio();
  const connection = useConnection();
  const isAsked = connection.mode === 'service' && connection.key.present && connection.serviceAddress !== '';
  const { data } = useQuery({ ...connectionReportQuery(studio, connection), enabled: isAsked });
  if (!isAsked || data?.key !== 'accepted') return null;
  return explainBeforeSending(mapOfList(data.products), product);
}
