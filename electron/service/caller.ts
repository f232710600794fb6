import { randomUUID } from 'node:crypto';
import { cleanId } from '../../shared/domain/failures/clean-text.ts';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import type { PaidAsked, PaidEnding, PaidLedger, PaidReport } from '../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { readIsolation } from './isolate.ts';
import {
  asCount,
  asDecimal,
  asId,
  asJsonObject,
  exactCredits,
  isJsonObject,
  objectsIn,
  pickFrom,
  unwrap,
} from './values.ts';
import { bodyOf, isGone, unreadable, type Call, type Reply, type HttpCore } from './http.ts';
import { endpoints, paidRoute, type Endpoint, type EndpointName, type Read } from './endpoints.ts';

export type NamedCall = Omit<Call, 'endpoint'>;
export type Caller = ReturnType<typeof createCaller>;

/** What resource modules build on: routes by name, and answers through tolerant readers. */
export function createCaller(ownCore: HttpCore, ledger: PaidLedger | undefined) {
  const core = ledger === undefined ? ownCore : recordPaid(ownCore, ledger);
  const send = (name: EndpointName, call: NamedCall = {}) => core.call({ ...call, endpoint: endpoints[name] });
  return {
    send,
    readReply,
    async read<N extends EndpointName>(name: N, call?: NamedCall): Promise<Result<Read<N>>> {
      const reply = await send(name, call);
      return reply.ok ? readReply(name, reply.value) : reply;
    },
    async change(name: EndpointName, call?: NamedCall, isGoneFine = false): Promise<Result<null>> {
      const reply = await send(name, call);
      return reply.ok || (isGoneFine && isGone(reply.error)) ? ok(null) : reply;
    },
    /** The body as it is, for the tool server (contract 4.13). */
    answer: async (name: EndpointName, call?: NamedCall): Promise<Result<object>> => {
      const reply = await send(name, call);
      if (!reply.ok) return reply;
      const body = reply.value.text.trim() === '' ? {} : bodyOf(reply.value);
      const isRead = endpoints[name].method === 'GET';
      return typeof body === 'object' && body !== null ? ok(body) : err(unreadable(reply.value, isRead));
    },
  };
}

/** A success that the reader of the route does not understand is answer-unreadable. */
function readReply<N extends EndpointName>(name: N, reply: Reply): Result<Read<N>> {
  const { read, method }: Endpoint = endpoints[name];
  const found = read?.(bodyOf(reply), reply.requestId) ?? null;
  return found === null ? err(unreadable(reply, method === 'GET')) : ok(found as Read<N>);
}

const states = { not_sent: 'not-sent', refused: 'refused', unknown: 'unknown', accepted: 'accepted' } as const;

/** Every paid request passes here: the intent is on disk before the first byte, or nothing is sent. */
export function recordPaid(core: HttpCore, ledger: PaidLedger): HttpCore {
  const reported = (text: string, { product }: Call['endpoint']) => {
    const json = text.length > 0 && text.length <= longestRead ? parseGuardedJson(text) : null;
    const body = json?.isJson ? json.value : null;
    const read = readReported(body);
    // Until an isolation is done, its credits are only held, and they are released if it fails.
    const isHeld = product === 'isolate' && (readIsolation(body)?.progress ?? 'completed') !== 'completed';
    return isHeld ? { ...read, report: null } : read;
  };

  function endingOf(reply: Result<Reply>, { endpoint }: Call): PaidEnding {
    if (!reply.ok) return failedEnding(reply.error);
    const { status, text, llmRequestId } = reply.value;
    const { remoteId, report, ...inBody } = reported(text, endpoint);
    const requestId = reply.value.requestId ?? inBody.requestId;
    return { ...accepted, status, requestId, llmRequestId, remoteId, report };
  }

  function noteLaterReport({ endpoint, values }: Call, reply: Reply): void {
    const [id, ...others] = Object.values(values ?? {});
    const isOfPaidWork = ['transcribe', 'speak', 'isolate', 'ask'].includes(endpoint.product);
    if (endpoint.method !== 'GET' || id === undefined || others.length > 0 || !isOfPaidWork) return;
    const { report } = reported(reply.text, endpoint);
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
      ledger.end(id, endingOf(reply, call));
      return reply;
    },
  };
}

const ids = { requestId: null, llmRequestId: null, remoteId: null, report: null };
const accepted = { outcome: 'accepted', status: null, row: null, code: null, ...ids } as const;
const nothingReported = { credits: null, characters: null, durationMs: null, inputTokens: null, outputTokens: null };

const failedEnding = ({ outcome, status, row, code, requestId, llmRequestId }: Failure): PaidEnding => ({
  ...accepted,
  outcome: states[outcome],
  status: status ?? null,
  row,
  code,
  requestId: requestId ?? null,
  llmRequestId: llmRequestId ?? null,
});

const longestRead = 1024 * 1024;

function describeAsked({ json, form, endpoint }: Pick<Call, 'json' | 'form' | 'endpoint'>): PaidAsked {
  const { meter } = endpoint;
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

const wrappers = [
  'voice_isolation',
  'isolation',
  'generation',
  'transcription',
  'request',
  'llm_request',
  'job',
  'file',
];
const idNames = ['transcription_id', 'generation_id', 'isolation_id', 'voice_isolation_id', 'id', 'task_id'];

/** What any answer of the service contains about its own cost, its id, and the id of the work. */
function readReported(body: unknown) {
  const sources = unwrap(body).flatMap((source) => [source, ...objectsIn(source, wrappers)]);
  const places = sources.flatMap((source) => [...objectsIn(source, ['usage', 'billing']), source]);
  const report: PaidReport = {
    credits: exactCredits(places) ?? pickFrom(places, ['credits_debited'], asDecimal) ?? null,
    characters: pickFrom(places, ['characters', 'character_count'], asCount) ?? null,
    durationMs: pickFrom(places, ['duration_ms'], asCount) ?? null,
    inputTokens: pickFrom(places, ['prompt_tokens', 'input_tokens'], asCount) ?? null,
    outputTokens: pickFrom(places, ['completion_tokens', 'output_tokens'], asCount) ?? null,
  };
  const named = sources
    .flatMap((source) => objectsIn(source, wrappers))
    .filter((found) => asJsonObject(found) !== undefined);
  const remoteId = cleanId(pickFrom([...named, ...sources], idNames, asId)) ?? null;
  const requestId = cleanId(pickFrom(unwrap(body), ['request_id'], asId)) ?? null;
  return { requestId, remoteId, report: Object.values(report).every((value) => value === null) ? null : report };
}

export type PaidStream = ReturnType<typeof openPaidStream>;

/** One paid thing on a stream, as the ledger records it: begun once before it is requested, ended once. */
export function openPaidStream(
  ledger: PaidLedger | undefined,
  what: { readonly route: EndpointName; readonly product: string },
  id: string = randomUUID(),
) {
  let isOpen = false;
  const end = (ending: PaidEnding): void => {
    if (!isOpen) return;
    isOpen = false;
    ledger?.end(id, ending);
  };
  const fail = (failure: Failure): void => end(failedEnding(failure));
  return {
    get id(): string {
      return id;
    },
    fail,
    /** On a failure it must not be sent. Calling it again for the same thing changes nothing. */
    begin(asked: PaidAsked): Failure | null {
      if (ledger === undefined || isOpen) return null;
      const begun = ledger.begin({ id, ...what, asked, estimate: null });
      if (!begun.ok) return { ...begun.error, outcome: 'not_sent' };
      isOpen = true;
      return null;
    },
    accept(used: Partial<PaidReport>, remoteId: string | null = null): void {
      end({ ...accepted, remoteId, report: { ...nothingReported, ...used } });
    },
    /** Its answer never came. To request it again may be charged again, so that is an action of its own. */
    renew(failure: Failure): void {
      fail(failure);
      id = randomUUID();
    },
  };
}
