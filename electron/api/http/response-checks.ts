import type { HttpAnswer } from '../../../shared/domain/failures/classify.ts';
import { serviceCodes } from '../../../shared/wire/service-codes.ts';

/** Judged by the body: some servers call their JSON a page, and an answer that was paid for must not be lost by that. */
export function isHtml(answer: HttpAnswer): boolean {
  const start = answer.body.slice(0, 1024).trimStart().toLowerCase();
  if (start.startsWith('{') || start.startsWith('[')) return false;
  const isCalledPage = (answer.headers['content-type'] ?? '').toLowerCase().startsWith('text/html');
  return start !== '' && (isCalledPage || start.includes('<!doctype html') || start.includes('<html'));
}

/** A well-formed number of a request, from a header; null when there is none. */
export function idIn(answer: HttpAnswer, header: string): string | null {
  const id = answer.headers[header] ?? '';
  return /^[A-Za-z0-9_.:-]{1,128}$/u.test(id) ? id : null;
}

/** A code of the document that came with a status which the document does not give it. */
export function hasOtherStatus(code: string, status: number): boolean {
  const known = serviceCodes.filter((one) => one.code === code && one.status !== null);
  return known.length > 0 && known.every((one) => one.status !== status);
}
