import { ChevronDown, ChevronRight, Copy, Download, FileText, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ShownTake, SpokenText } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { usePlayerState, useSpeaking } from '../speak-context.tsx';
import css from './history-list.module.css';
import { HistoryRow } from './history-row.tsx';

/** The takes of one text; null: takes without a text, such as previews of voices. */
interface Group {
  readonly text: SpokenText | null;
  readonly takes: readonly ShownTake[];
  readonly newestMs: number;
}

/** Takes by their text, with the text of the newest take first. */
export function groupTakes(takes: readonly ShownTake[], texts: readonly SpokenText[]): readonly Group[] {
  const textOf = new Map(texts.toReversed().flatMap((text) => text.takeIds.map((id) => [id, text] as const)));
  const groups = new Map<string, { readonly text: SpokenText | null; readonly takes: ShownTake[] }>();
  for (const take of takes) {
    const text = textOf.get(take.id) ?? null;
    const group = groups.get(text?.id ?? '') ?? { text, takes: [] };
    group.takes.push(take);
    groups.set(text?.id ?? '', group);
  }
  // Sentences are ordered as in their text.
  return [...groups.values()].map(({ text, takes: own }) => {
    const order = new Map(text?.parts.map(({ takeId }, at) => [takeId, at] as const));
    const placeOf = ({ id }: ShownTake) => order.get(id) ?? order.size;
    return {
      text,
      takes: own.toSorted((one, other) => placeOf(one) - placeOf(other)),
      newestMs: own[0]?.createdAtMs ?? 0,
    };
  });
}

/** A text of the history: played, saved or copied as a whole, with its sentences when expanded. */
export function HistoryGroup({
  group: { text, takes, newestMs },
  isOpenFirst,
  onOpened,
  onChanged,
}: {
  readonly group: Group;
  readonly isOpenFirst: boolean;
  /** The text of the group is shown for editing. */
  readonly onOpened: () => void;
  readonly onChanged: () => void;
}) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const now = useNow(false);
  const { store, side } = useSpeaking();
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  const byId = new Map(takes.map((take) => [take.id, take]));
  const heard = (text?.parts ?? []).filter(({ takeId }) => byId.has(takeId));
  const prefix = `history:${text?.id ?? ''}:`;
  const isHeard = usePlayerState(
    side,
    ({ heardId, status }) => status !== 'idle' && heardId?.startsWith(prefix) === true,
  );
  const title = text === null ? t('speak.historyOf.other') : text.title || t('speak.untitled');
  const count = text === null ? takes.length : heard.length;
  const lengthMs = heard.reduce(
    (sum, { takeId, tempo = 1, pauseMs }, at) =>
      sum + (byId.get(takeId)?.durationMs ?? 0) / tempo + (at === heard.length - 1 ? 0 : pauseMs),
    0,
  );
  const details = [
    t('speak.historyOf.sentences', { count }),
    ...(lengthMs === 0 ? [] : [formats.duration(lengthMs)]),
    formats.moment(newestMs, now),
  ].join(' · ');
  const save = async () => {
    const saved = await studio.request('speak.saveAudio', {
      title,
      parts: heard,
      format: 'wav',
      as: 'one',
      withSubtitles: false,
      targetLufs: null,
    });
    if (!saved.ok) showToast({ text: `${t('speak.actionFailed')}. ${words(saved.error).text}` });
    else if (saved.value.savedAs !== null) showToast({ text: t('speak.export.saved', { name: saved.value.savedAs }) });
  };
  return (
    <li>
      <div className={css['row']}>
        {text !== null && (
          <IconButton
            size="sm"
            icon={isHeard ? Square : Play}
            isDisabled={heard.length === 0}
            label={`${t(isHeard ? 'speak.stop' : 'speak.play')}: ${title}`}
            onPress={() => {
              if (isHeard) side.stop();
              else
                side.start(
                  heard.map(({ takeId, tempo = 1, pauseMs }) => ({
                    id: `${prefix}${takeId}`,
                    tempo,
                    url: byId.get(takeId)?.mediaUrl ?? null,
                    pauseMs,
                  })),
                );
            }}
          />
        )}
        <PressButton className={css['disclose']} isExpanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
          <span className={css['title']}>{title}</span>
          <span className={css['details']}>{details}</span>
        </PressButton>
        {text !== null && (
          <>
            <IconButton
              size="sm"
              icon={Download}
              isDisabled={heard.length === 0}
              label={`${t('speak.export.save')} ${title}`}
              onPress={() => void save()}
            />
            <IconButton
              size="sm"
              icon={Copy}
              isDisabled={heard.length === 0}
              label={`${t('speak.historyOf.copyAll')}: ${title}`}
              onPress={() => void copy(heard.map((part) => part.text).join('\n'))}
            />
            <IconButton
              size="sm"
              icon={FileText}
              label={`${t('speak.historyOf.open')}: ${title}`}
              onPress={() => {
                void store.open(text.id).then(onOpened);
              }}
            />
          </>
        )}
      </div>
      {isOpen && (
        <ul className={css['inner']} aria-label={t('speak.historyOf.inText', { title })}>
          {takes.map((take) => (
            <HistoryRow key={take.id} {...take} take={take} remoteId={null} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </li>
  );
}
