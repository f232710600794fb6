/** The longest wait that is honoured; longer ones are capped at this in the background. */
export const longestWaitMs = 86_400_000;

/**
 * The wait that a server asks for, in milliseconds from now, or null when the header is not usable. Seconds may have
 * decimals. A date is relative to the answer's own `Date` header, or to `serverNowMs` without one, so that a wrong
 * local clock changes nothing. Never negative; at most one day.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  serverNowMs: number,
): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (/^\d{1,15}(?:\.\d{1,9})?$/u.test(text)) return Math.min(longestWaitMs, Math.ceil(Number(text) * 1000));
  if (/^-\d/u.test(text)) return 0;
  const until = parseHttpDate(text);
  if (until === null) return null;
  const now = parseHttpDate(dateHeader ?? '') ?? serverNowMs;
  return Number.isFinite(now) ? Math.min(longestWaitMs, Math.max(0, until - now)) : null;
}

const datePattern = /^(?:[a-z]{3,9}, )?\d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} (?:gmt|utc)$/iu;

/** An HTTP date as Unix milliseconds, or null. Only the forms of RFC 9110 with a zone are accepted. */
export function parseHttpDate(text: string): number | null {
  if (!datePattern.test(text.trim())) return null;
  const at = Date.parse(text.trim());
  return Number.isFinite(at) ? at : null;
}
