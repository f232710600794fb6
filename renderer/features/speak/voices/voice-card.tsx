import { AudioLines, Columns2, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { Chip, LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { lookOf, Orb } from '../ui/voice-orb.tsx';
import { PlayButton } from '../ui/play-button.tsx';
import { FavouriteButton } from '../ui/voice-row.tsx';
import { previewId, usePreview } from '../use-preview.ts';
import { sampleFor, useIsHeard } from './use-samples.ts';
import css from './voices-screen.module.css';

export interface VoiceCardProps {
  readonly voice: SpeechVoice;
  readonly isRemoving: boolean;
  readonly isCompared: boolean;
  readonly onUse: () => void;
  readonly onCompare: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** A voice with what can be done with it. */
export function VoiceCard({ voice, isRemoving, isCompared, onUse, onCompare, onEdit, onRemove }: VoiceCardProps) {
  const t = useText();
  const { name, languages, gender, isOwn } = voice;
  const about =
    (voice.description ?? '') !== ''
      ? voice.description
      : isOwn
        ? t('voices.ownHint')
        : gender === 'female' || gender === 'male'
          ? t(gender === 'female' ? 'speak.voices.genderFemale' : 'speak.voices.genderMale')
          : '';
  const entries: readonly MenuEntry[] = [
    { id: 'use', text: t('voices.useInSpeak'), icon: AudioLines, onAction: onUse },
    {
      id: 'compare',
      text: t(isCompared ? 'voices.noCompare' : 'voices.compareWith', { name }),
      icon: Columns2,
      onAction: onCompare,
    },
    ...(isOwn
      ? ([
          'separator',
          { id: 'edit', text: t('voices.editDetails'), icon: Pencil, onAction: onEdit },
          { id: 'remove', text: t('voices.remove'), icon: Trash2, isDanger: true, onAction: onRemove },
        ] as const)
      : []),
  ];
  return (
    <li className={cx(css['card'], isCompared && css['compared'])} aria-label={name}>
      <div className={css['cardTop']}>
        <Orb size="lg" look={lookOf(voice)} />
        {!isRemoving && <Listen voice={voice} />}
      </div>
      <div className={css['cardWords']}>
        <span className={css['name']}>{name}</span>
        <span className={css['about']}>{about}</span>
      </div>
      <div className={css['cardFoot']}>
        {speechLanguages
          .filter((language) => languages.includes(language))
          .map((language) => (
            <LanguageTag key={language} code={language} name={t(`common.languageNames.${language}`)} />
          ))}
        {isRemoving ? (
          <Chip tone="warn">{t('voices.removing')}</Chip>
        ) : (
          isOwn && <Chip tone="ok">{t('voices.private')}</Chip>
        )}
        <span className={css['push']}>
          <FavouriteButton voice={voice} />
          {!isRemoving && (
            <Menu
              label={t('voices.more', { name })}
              entries={entries}
              trigger={<IconButton size="sm" icon={Ellipsis} label={t('voices.more', { name })} />}
            />
          )}
        </span>
      </div>
      {isRemoving && <p className={css['hint']}>{t('voices.removingHint')}</p>}
    </li>
  );
}

/** States the cost of the first preview before it is paid. */
function Listen({ voice }: { readonly voice: SpeechVoice }) {
  const t = useText();
  const { mode } = useSettings();
  const sample = sampleFor(voice);
  const wasHeard = useIsHeard(sample);
  const preview = usePreview();
  const { name } = voice;
  const label =
    wasHeard || modeOf(mode).isFree
      ? t('voices.listenPractice', { name })
      : t('voices.listenFirst', { name, count: Array.from(sample.text).length });
  return (
    <PlayButton
      variant="default"
      className={css['play']}
      partId={previewId(voice.id)}
      name={name}
      label={label}
      stopLabel={t('speak.voices.stopPreview', { name })}
      onPlay={() => preview([sample])}
    />
  );
}
