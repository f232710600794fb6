import { learnRate, noRate, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The last recordings that the service told a cost of; older ones say little about today's prices. */
const judgedBy = 20;
const lookedBackMs = 90 * 86_400_000;
const mostActions = 400;

/**
 * What the service charged for recordings lately: it tells no price of transcribing beforehand, so what it told
 * afterwards is all there is. Lengths are its own, or those of the rows that were sent.
 */
export function readCreditRate(workspace: Pick<Workspace, 'ledger' | 'jobs'>, nowMs: number): CreditRate {
  const fromMs = nowMs - lookedBackMs;
  const actions = workspace.ledger.list({ fromMs, toMs: nowMs + 1, product: 'transcribe', limit: mostActions });
  if (!actions.ok) return noRate;
  const charged = actions.value
    .filter(({ route, state }) => route === 'stt.submit' && state === 'accepted')
    .flatMap(({ id, asked, report }) =>
      report === null || report.credits === null
        ? []
        : [{ id, credits: report.credits, durationMs: report.durationMs, sizeBytes: asked.bytes ?? null }],
    )
    .slice(0, judgedBy);
  const lengths = workspace.jobs.lengthsOf(charged.map(({ id }) => id));
  return learnRate(
    charged.map(({ id, ...one }) => ({ ...one, durationMs: one.durationMs ?? lengths.get(id) ?? null })),
  );
}
