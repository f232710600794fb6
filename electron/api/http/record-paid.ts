import { randomUUID } from 'node:crypto';
import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import type { PaidAsked, PaidEnding, PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { meterOf, paidRoute } from '../../../shared/wire/paid-routes.ts';
import { readReported } from '../../../shared/wire/read-reported.ts';
import { isJsonObject } from '../../../shared/wire/json-access.ts';
import { withAliases } from '../../../shared/wire/wire-table.ts';
import type { Call, Reply } from './call.ts';
import type { HttpCore } from './http-core.ts';

const states = { not_sent: 'not-sent', refused: 'refused', unknown: 'unknown', accepted: 'accepted' } as const;

/**
 * The single point through which every request that costs passes: the intent is on disk before the first byte leaves,
 * then the outcome is recorded, and so are free reads that report a cost later. Resource modules don't know about it,
 * so none of them can forget it. When the ledger can't be written, nothing is sent.
 */
export function recordPaid(core: HttpCore, ledger: PaidLedger, aliases: Readonly<Record<string, string>>): HttpCore {
  /** Longer bodies hold transcripts; if they report a cost at all, it is in their first fields. */
  const reported = (text: string) => {
    const json = text.length > 0 && text.length <= longestRead ? parseGuardedJson(text) : null;
    return readReported(json?.isJson ? withAliases(json.value, aliases) : null);
  };

  function endingOf(reply: Result<Reply, Failure>): PaidEnding {
    if (!reply.ok) return failedEnding(reply.error);
    const { status, text, llmRequestId } = reply.value;
    const { remoteId, report, ...inBody } = reported(text);
    const requestId = reply.value.requestId ?? inBody.requestId;
    return { outcome: 'accepted', status, row: null, code: null, requestId, llmRequestId, remoteId, report };
  }

  /** A read of one thing of a metered product: the ledger knows that thing by the `/{id}` of its address. */
  function noteLaterReport({ endpoint, values }: Call, reply: Reply): void {
    const [id, ...others] = Object.values(values ?? {});
    const isOfPaidWork = ['transcribe', 'speak', 'isolate', 'ask'].includes(endpoint.product);
    if (endpoint.method !== 'GET' || id === undefined || others.length > 0 || !isOfPaidWork) return;
    const { report } = reported(reply.text);
    if (report !== null) ledger.report(id, report);
  }

  return {
    ...core,
    async call(call) {
      const route = paidRoute(call.endpoint);
      if (route === null) {
        const reply = await core.call(call);
        if (reply.ok) noteLaterReport(call, reply.value);
        return reply;
      }
      const id = call.idempotencyKey ?? randomUUID();
      const begun = ledger.begin({
        id,
        route,
        product: call.endpoint.product,
        asked: describeAsked(call),
        estimate: call.estimateCredits ?? null,
        sha256: call.contentSha256,
      });
      if (!begun.ok) return err({ ...begun.error, outcome: 'not_sent' });
      const reply = await core.call(call);
      ledger.end(id, endingOf(reply));
      return reply;
    },
  };
}

/** How the ledger writes a failure down. */
export function failedEnding({ outcome, status, row, code, requestId, llmRequestId }: Failure): PaidEnding {
  return {
    outcome: states[outcome],
    status: status ?? null,
    row,
    code,
    requestId: requestId ?? null,
    llmRequestId: llmRequestId ?? null,
    remoteId: null,
    report: null,
  };
}

const longestRead = 1024 * 1024;

/** Counts and choices of a call, by name; nothing else in a body is inspected. */
export function describeAsked({ json, form, endpoint }: Pick<Call, 'json' | 'form' | 'endpoint'>): PaidAsked {
  const route = paidRoute(endpoint);
  const fields = isJsonObject(json) ? json : (form?.fields ?? {});
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = Number(fields[name]);
    return fields[name] !== undefined && Number.isFinite(value) ? value : undefined;
  };
  const word = (name: string): string | undefined => {
    const value = text(name);
    return value !== undefined && /^[A-Za-z0-9_.:/-]{1,80}$/u.test(value) ? value : undefined;
  };
  const flag = (name: string): boolean | undefined => {
    const value = fields[name];
    return value === undefined ? undefined : value === true || value === 'true';
  };
  const meter = route === null ? 'free' : meterOf(route);
  const files = form?.files ?? [];
  return present({
    characters: meter === 'characters' ? lengthOf(text('text') ?? text('transcript')) : undefined,
    bytes: files.length === 0 ? undefined : files.reduce((sum, { source }) => sum + source.sizeBytes, 0),
    files: files.length === 0 ? undefined : files.length,
    maxTokens: meter === 'tokens' ? number('max_completion_tokens') : undefined,
    language: word('language'),
    model: meter === 'tokens' ? word('model') : word('restoration_model'),
    speed: number('speed'),
    includesSpeakers: flag('include_speakers') ?? flag('has_diarization'),
    restoresSpeech: flag('speech_restoration'),
    isStreamed: meter === 'tokens' ? flag('stream') : undefined,
  });
}

const lengthOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Array.from(text).length;

const present = (asked: { readonly [Name in keyof PaidAsked]: PaidAsked[Name] | undefined }): PaidAsked =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
