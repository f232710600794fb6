import { expectedCredits, learnRate, noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import { stepOf } from '../../shared/domain/spend/spend-limit.ts';
import type { PaidRecord } from '../services/account/ledger.ts';
import type { Workspace } from '../workspace/open-workspace.ts';

/** How many recordings with a reported cost are used; older ones say little about today's prices. */
const judgedBy = 20;
const lookedBackMs = 90 * 86_400_000;
const mostActions = 400;

const works = {
  transcribe: { product: 'transcribe', route: 'stt.submit', includesSpeakers: false },
  speakers: { product: 'transcribe', route: 'stt.submit', includesSpeakers: true },
  dictate: { product: 'dictate', route: 'dictate.stream', includesSpeakers: false },
  isolate: { product: 'isolate', route: 'isolate.submit', includesSpeakers: false },
  /** A part of a recording again, over the stream of dictation. */
  listen: { product: 'transcribe', route: 'dictate.stream', includesSpeakers: false },
} as const;

/** What recordings without a reported cost will probably cost, by the known rate of their option. */
export function withExpectedCosts(
  workspace: Pick<Workspace, 'ledger' | 'jobs' | 'accountId'>,
  actions: readonly PaidRecord[],
  nowMs: number,
): readonly PaidRecord[] {
  const rates = {
    transcribe: readCreditRate(workspace, nowMs, 'transcribe'),
    speakers: readCreditRate(workspace, nowMs, 'speakers'),
  };
  const lengths = workspace.jobs.lengthsOf(actions.map(({ id }) => id));
  return actions.map((action) => {
    const { id, route, asked, report } = action;
    const durationMs = report?.durationMs ?? asked.audioMs ?? lengths.get(id) ?? null;
    if (route !== 'stt.submit' || durationMs === null) return action;
    const rate = rates[asked.includesSpeakers === true ? 'speakers' : 'transcribe'];
    const credits = expectedCredits([{ durationMs, sizeBytes: 0 }], { ...rate, creditsPerGigabyte: null });
    return { ...action, estimate: credits === null ? null : credits.toFixed(3) };
  });
}

/** The service publishes no price for audio, so earlier costs are the only source. */
export function readCreditRate(
  workspace: Pick<Workspace, 'ledger' | 'accountId'> & { readonly jobs: Pick<Workspace['jobs'], 'lengthsOf'> },
  nowMs: number,
  work: keyof typeof works = 'transcribe',
): CreditRate {
  const { product, route, includesSpeakers } = works[work];
  const fromMs = nowMs - lookedBackMs;
  const actions = workspace.ledger.list({
    fromMs,
    toMs: nowMs + 1,
    product,
    account: workspace.accountId(),
    limit: mostActions,
  });
  if (!actions.ok) return noRate;
  const charged = actions.value
    .filter((action) => action.route === route && action.state === 'accepted')
    .filter(({ asked }) => (asked.includesSpeakers ?? false) === includesSpeakers)
    .flatMap(({ id, asked, report }) =>
      report === null || report.credits === null
        ? []
        : [
            {
              id,
              credits: report.credits,
              durationMs: report.durationMs ?? asked.audioMs ?? null,
              sizeBytes: asked.bytes ?? null,
            },
          ],
    )
    .slice(0, judgedBy);
  const lengths = workspace.jobs.lengthsOf(charged.map(({ id }) => id));
  const rate = learnRate(
    charged.map(({ id, ...one }) => ({ ...one, durationMs: one.durationMs ?? lengths.get(id) ?? null })),
    stepOf(work),
  );
  // What goes over the stream is metered like a recording whose speakers are not told apart.
  return route === 'dictate.stream' && rate.sampleCount === 0 ? readCreditRate(workspace, nowMs) : rate;
}
