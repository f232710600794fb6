import { AudioLines, CircleAlert, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { judgeScore } from '../../../../../shared/domain/voices/clone-draft.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import type { SpeechVoice } from '../../../../../shared/domain/speech/voices.ts';
import { modeOf } from '../../../../../shared/domain/modes.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { FactList } from '../../../../ui/fact-list.tsx';
import { usePartState, useSpeaking } from '../../speak-context.tsx';
import { Orb } from '../../ui/voice-orb.tsx';
import { previewId, usePreview } from '../../use-preview.ts';
import { sampleFor, useIsHeard } from '../use-samples.ts';
import css from './clone-wizard.module.css';
import readyCss from './ready-step.module.css';
import type { StepProps } from './use-clone.ts';

/** The voice is ready. Closing this step deletes the draft, because everything is at the service. */
export function ReadyStep({ clone, frame, onClose, onUse, onEdit }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  const { side } = useSpeaking();
  const [isEnding, setIsEnding] = useState(false);
  const preview = usePreview();
  const { draft } = clone;
  const voiceId = draft?.voiceId ?? '';
  const name = draft?.details.name.trim() ?? '';
  const voice: SpeechVoice = {
    id: voiceId,
    name,
    languages: [draft?.language ?? 'uz'],
    gender: null,
    isOwn: true,
    description: null,
    palette: draft?.details.palette ?? null,
  };
  const sample = sampleFor(voice);
  const wasHeard = useIsHeard(sample);
  const heard = usePartState(previewId(voiceId));
  const isHeard = heard === 'playing';
  const score = draft?.score ?? null;
  const { begunAtMs, approvedAtMs, consentedAtMs, verifiedAtMs } = draft?.dates ?? {};
  const dates = Object.entries({
    begun: begunAtMs,
    approved: approvedAtMs,
    consented: consentedAtMs,
    verified: verifiedAtMs,
  }).flatMap(([what, atMs]) =>
    atMs == null
      ? []
      : [{ label: t(`voices.wizard.dates.${what as 'begun'}`), value: `${formats.date(atMs)}, ${formats.time(atMs)}` }],
  );
  const end = async (then: () => void) => {
    setIsEnding(true);
    await clone.discard();
    onClose();
    then();
  };
  return frame({
    body: (
      <div className={readyCss['ready']}>
        <Orb size="xl" look={draft?.details.palette ?? 'calm'} />
        <div>
          <h3>{t('voices.wizard.readyTitle', { name })}</h3>
          <p className={css['lead']}>{t('voices.wizard.readyText')}</p>
        </div>
        {score !== null && (
          <div className={readyCss['match']}>
            <div className={readyCss['matchWords']}>
              <span>{t('voices.wizard.match')}</span>
              <b>
                {t('voices.wizard.score', {
                  score: formats.fixed(score, 2),
                  least: formats.fixed(cloneRules.leastScore, 2),
                })}
              </b>
            </div>
            <div className={readyCss['matchBar']} aria-hidden>
              <span style={{ inlineSize: `${String(Math.min(1, score) * 100)}%` }} />
              <i style={{ insetInlineStart: `${String(cloneRules.leastScore * 100)}%` }} />
            </div>
            <p className={css['hint']}>{t(`voices.wizard.scores.${judgeScore(score)}`)}</p>
          </div>
        )}
        {dates.length > 0 && <FactList facts={dates} />}
        <div className={readyCss['sample']}>
          <span lang={sample.language}>{sample.text}</span>
          <Button
            size="sm"
            icon={isHeard ? Square : heard === 'failed' ? CircleAlert : Play}
            isLoading={heard === 'loading'}
            onPress={() => {
              if (isHeard) side.stop();
              else preview([sample]);
            }}
          >
            {t(isHeard ? 'voices.stop' : 'voices.wizard.hear')}
          </Button>
        </div>
        <p className={css['hint']}>
          {modeOf(mode).isFree
            ? t('voices.practiceFree')
            : wasHeard
              ? t('voices.allFree')
              : t('voices.costHint', { count: Array.from(sample.text).length })}
        </p>
      </div>
    ),
    footer: (
      <>
        <Button variant="ghost" isDisabled={isEnding} onPress={() => void end(() => onEdit(voice))}>
          {t('voices.wizard.editDetails')}
        </Button>
        <span className={css['footNote']} />
        <Button isLoading={isEnding} onPress={() => void end(() => undefined)}>
          {t('voices.wizard.done')}
        </Button>
        <Button variant="primary" icon={AudioLines} isDisabled={isEnding} onPress={() => void end(() => onUse(voice))}>
          {t('voices.useInSpeak')}
        </Button>
      </>
    ),
  });
}
