import type { ConnectionReport } from '../../../bridge/types.ts';

/** The results of the test, one line of the report each; the screen has the texts. */
export interface ConnectionFindings {
  readonly internet: 'online' | 'offline';
  readonly service: 'reached' | 'notReached' | 'notThisService' | 'noAddress';
  readonly key: 'accepted' | 'refused' | 'missing' | 'notChecked' | 'legacyGeneration';
  readonly allowed: readonly Product[];
  readonly denied: readonly Product[];
  readonly unknown: readonly Product[];
  readonly isWell: boolean;
}

type Product = ConnectionReport['products'][number]['product'];

const services = { reached: 'reached', 'not-reached': 'notReached', 'not-this-service': 'notThisService' } as const;
const keys = {
  accepted: 'accepted',
  refused: 'refused',
  missing: 'missing',
  'not-checked': 'notChecked',
  'legacy-generation': 'legacyGeneration',
} as const;

/** `report` is null when there was no usable address to test. */
export function findingsOf(isOnline: boolean, report: ConnectionReport | null): ConnectionFindings {
  const withAccess = (access: 'allowed' | 'denied' | 'unknown') =>
    (report?.products ?? []).filter((one) => one.access === access).map(({ product }) => product);
  return {
    internet: isOnline ? 'online' : 'offline',
    service: report === null ? 'noAddress' : services[report.service],
    key: report === null ? 'notChecked' : keys[report.key],
    allowed: withAccess('allowed'),
    denied: withAccess('denied'),
    unknown: withAccess('unknown'),
    isWell: report?.service === 'reached' && report.key === 'accepted' && report.failure === null,
  };
}
