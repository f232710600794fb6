import { ArrowRight, Mic, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { cloneSteps } from '../../../../shared/domain/voices/clone-draft.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { Orb } from '../ui/voice-orb.tsx';
import type { Clone } from './clone/use-clone.ts';
import css from './voices-screen.module.css';

/** The voice that was started and is not ready yet. */
export function DraftCard({ clone, onOpen }: { readonly clone: Clone; readonly onOpen: () => void }) {
  const t = useText();
  const formats = useFormats();
  const showToast = useToast();
  const [isAsked, setIsAsked] = useState(false);
  const { draft } = clone;
  if (draft === null) return null;
  const begunAtMs = draft.dates?.begunAtMs ?? null;
  const name = draft.details.name.trim() || t('voices.draft');
  const discard = async () => {
    if (await clone.discard()) showToast({ text: t('voices.wizard.discarded') });
  };
  return (
    <li className={css['card']} aria-label={name}>
      <div className={css['cardTop']}>
        <Orb size="lg" look={draft.details.palette} />
        <IconButton
          size="sm"
          icon={Trash2}
          label={t('voices.deleteDraft')}
          onPress={() => {
            setIsAsked(true);
          }}
        />
      </div>
      <div className={css['cardWords']}>
        <span className={css['name']}>{name}</span>
        <span className={css['about']}>
          {t('voices.draftStep', {
            number: cloneSteps.indexOf(draft.step) + 1,
            step: t(`voices.wizard.steps.${draft.step}`),
          })}
          {begunAtMs !== null && ` · ${t('voices.begunOn', { date: formats.date(begunAtMs) })}`}
        </span>
      </div>
      <div className={cx(css['cardFoot'], css['wraps'])}>
        <LanguageTag code={draft.language} name={t(`common.languageNames.${draft.language}`)} />
        <span className={css['push']}>
          <Button size="sm" iconAfter={ArrowRight} onPress={onOpen}>
            {t('voices.continue')}
          </Button>
        </span>
      </div>
      <Question
        isDanger
        isOpen={isAsked}
        title={t('voices.wizard.discardTitle')}
        confirm={t('voices.wizard.discardConfirm')}
        cancel={t('voices.keep')}
        onConfirm={() => void discard()}
        onClose={() => {
          setIsAsked(false);
        }}
      >
        {t('voices.wizard.discardText')}
      </Question>
    </li>
  );
}

/** Begins a voice. One at a time is in progress, so an unfinished one is asked about. */
export function NewVoice({ clone, onOpen }: { readonly clone: Clone; readonly onOpen: () => void }) {
  const t = useText();
  const [isAsked, setIsAsked] = useState(false);
  const begin = async () => {
    if (await clone.discard()) onOpen();
  };
  return (
    <li>
      <PressButton className={css['new']} onPress={() => (clone.draft === null ? onOpen() : setIsAsked(true))}>
        <Mic aria-hidden size={20} strokeWidth={1.75} />
        {t('voices.clone')}
        <span className={css['hint']}>{t('voices.cloneHint')}</span>
      </PressButton>
      <Question
        isDanger
        isOpen={isAsked}
        title={t('voices.anotherTitle')}
        confirm={t('voices.anotherConfirm')}
        cancel={t('voices.keep')}
        onConfirm={() => void begin()}
        onClose={() => setIsAsked(false)}
      >
        {t('voices.anotherText', { name: clone.draft?.details.name.trim() || t('voices.draft') })}
      </Question>
    </li>
  );
}
