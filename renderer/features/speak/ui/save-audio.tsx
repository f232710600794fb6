import { AudioLines, ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { findChapters } from '../../../../shared/domain/speech/chapters.ts';
import { pauseAfter, titleOf } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { useBlocks, useCost } from '../use-cost.ts';

const formats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;
/** The loudness targets of players, podcasts, audiobooks and broadcasters. */
const loudnesses = ['', '-14', '-16', '-19', '-23'] as const;

/** Saves the existing audio of the text, and offers to generate what is missing before. */
export function SaveAudio() {
  const t = useText();
  const numbers = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const document = useSpeakState((state) => state.document);
  const blocks = useBlocks();
  const { store } = useSpeaking();
  const { sendCount, billed } = useCost();
  const [isOpen, setIsOpen] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [format, setFormat] = useState<(typeof formats)[number]>('mp3');
  const [as, setAs] = useState<'one' | 'files' | 'zip' | 'chapters'>('one');
  const [withSubtitles, setWithSubtitles] = useState(false);
  const [loudness, setLoudness] = useState<(typeof loudnesses)[number]>('');
  if (document === null) return null;
  const { chapterOf, titles } = findChapters(document.blocks);
  const shownAs = as === 'chapters' && titles.length < 2 ? 'one' : as;
  const parts = document.blocks.flatMap((block, index) => {
    const { take = null, tempo = 1 } = blocks[index]?.status ?? {};
    return take === null
      ? []
      : [
          {
            takeId: take.id,
            tempo,
            pauseMs: pauseAfter(block, document),
            text: withoutMarks(block.text),
            chapter: titles[chapterOf[index] ?? 0] ?? '',
            ...(block.slot !== null && block.slot !== undefined && { startMs: block.slot.startMs }),
          },
        ];
  });
  const missingCount = document.blocks.length - parts.length;
  const staleCount = blocks.filter(
    ({ status: { state, take } }) => state !== 'ready' && state !== 'locked' && take !== null,
  ).length;

  const save = async () => {
    setIsSaving(true);
    const answer = await studio.request('speak.saveAudio', {
      title: titleOf(document),
      parts,
      format,
      as: shownAs,
      withSubtitles,
      targetLufs: loudness === '' ? null : Number(loudness),
    });
    setIsSaving(false);
    if (!answer.ok) {
      showToast({ text: `${t('speak.export.failed')}. ${words(answer.error).text}` });
      return;
    }
    const { savedAs, subtitlesAs, revealToken, quietestLufs } = answer.value;
    if (savedAs === null || revealToken === null) return;
    setIsOpen(false);
    const saved =
      subtitlesAs === null
        ? t('speak.export.saved', { name: savedAs })
        : t('speak.export.savedWith', { name: savedAs, subtitles: subtitlesAs });
    showToast({
      text:
        quietestLufs === null
          ? saved
          : `${saved}. ${t('speak.export.quieter', { value: numbers.number(Math.round(quietestLufs * 10) / 10) })}`,
      action: {
        text: t('speak.export.show'),
        onPress: () => void studio.request('exports.reveal', { revealToken }),
      },
    });
  };
  return (
    <Popover
      label={t('speak.export.title')}
      className={css['save']}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button icon={Download} iconAfter={ChevronDown} isDisabled={parts.length === 0}>
          {t('speak.export.open')}
        </Button>
      }
    >
      <Select
        label={t('speak.export.as')}
        value={shownAs}
        options={[
          { value: 'one', text: t('speak.export.one') },
          { value: 'files', text: t('speak.export.files') },
          { value: 'zip', text: t('speak.export.zip') },
          ...(titles.length > 1
            ? [{ value: 'chapters' as const, text: t('speak.export.chapters', { count: titles.length }) }]
            : []),
        ]}
        onChange={setAs}
      />
      <Segmented
        isLabelShown
        isBlock
        size="sm"
        label={t('speak.export.format')}
        value={format}
        options={formats.map((value) => ({ value, text: value.toUpperCase() }))}
        onChange={setFormat}
      />
      <p className={css['hint']}>{t('speak.export.formatHint')}</p>
      {shownAs === 'one' && (
        <label className={css['check']}>
          <input type="checkbox" checked={withSubtitles} onChange={({ target }) => setWithSubtitles(target.checked)} />
          {t('speak.export.subtitles')}
        </label>
      )}
      <Select
        label={t('speak.export.loudness')}
        value={loudness}
        options={loudnesses.map((value) => ({
          value,
          text:
            value === '' ? t('speak.export.asCame') : t('speak.export.lufs', { value: numbers.number(Number(value)) }),
        }))}
        onChange={setLoudness}
      />
      {missingCount > 0 && <p className={css['hint']}>{t('speak.export.missing', { count: missingCount })}</p>}
      {staleCount > 0 && <p className={css['hint']}>{t('speak.export.stale', { count: staleCount })}</p>}
      {sendCount > 0 && (
        <Button
          icon={AudioLines}
          className={css['wrapping']}
          onPress={() => {
            setIsOpen(false);
            store.speak(0);
          }}
        >
          {t('speak.export.speakFirst', { count: sendCount, characters: t('speak.characters', { count: billed }) })}
        </Button>
      )}
      <Button variant="primary" icon={Download} isLoading={isSaving} onPress={() => void save()}>
        {t('speak.export.save')}
      </Button>
    </Popover>
  );
}
