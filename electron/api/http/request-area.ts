import type { FailureArea } from '../../../shared/domain/failures/area-rows.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';

/** The part of the service a route belongs to, where failures mean something of their own there. */
export function areaOf({ credential, product, section, method, path }: Endpoint): FailureArea | undefined {
  if (credential === 'legacy-key') return 'legacy';
  if (section === '4.4') return 'attachments';
  if (section === '4.10') return 'dictation';
  if (section === '4.12') {
    if (method === 'DELETE') return 'clone-remove';
    return path.endsWith('/verify') ? 'clone-verify' : 'clone';
  }
  if (path.endsWith('/voice-isolations/batch')) return 'isolation-batch';
  return product === 'account' || product === 'usage' || product === 'ask' || product === 'webhooks'
    ? product
    : undefined;
}
