import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { matchWords } from '../../../../shared/domain/text/match-words.ts';
import { longestListenMs } from '../../../../shared/domain/transcript/heard-again.ts';
import { coreOf } from '../../../../shared/domain/transcript/realign-words.ts';
import type { Word } from '../../../../shared/domain/transcript/transcript.ts';
import type { ComparePlayer } from '../../../audio/compare/compare-player.ts';
import { readSpan } from '../../../audio/read-span.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import css from './texts.module.css';

type BothTexts = Readonly<Record<'original' | 'isolated', readonly Word[]>>;

/** Texts before and after isolation show whether isolating the whole recording will help. */
export function useTexts(audio: IsolatedAudio) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { speechLanguage } = useSettings();
  const [original, isolated] = [audio.original.url, audio.isolated.url];
  const isOffered = audio.part?.index === null && original !== null && isolated !== null;
  const asked = { audioId: audio.audioId, language: speechLanguage };
  const keyOf = ({ audioId, language }: typeof asked) => ['isolation', 'texts', audioId, language];
  const kept = useQuery({
    queryKey: keyOf(asked),
    queryFn: async () => (await valueOrThrow(studio.request('isolation.compareTexts', { ...asked, pcm: null }))).texts,
    enabled: isOffered,
    staleTime: Infinity,
    retry: false,
  });
  // Loaded before the click, because the user activation that permits a charge expires within seconds.
  const pcm = useQuery({
    queryKey: ['isolation', 'pcm', asked.audioId],
    queryFn: async () => {
      const endMs = Math.min(longestListenMs, audio.durationMs ?? longestListenMs);
      return { original: await readSpan(original ?? '', 0, endMs), isolated: await readSpan(isolated ?? '', 0, endMs) };
    },
    enabled: isOffered && kept.data === null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const [isHidden, setIsHidden] = useState(false);
  const listen = useMutation({
    // The language may be changed before the answer, which belongs to the one that was asked for.
    mutationFn: async (wanted: { readonly of: typeof asked; readonly pcm: NonNullable<typeof pcm.data> }) =>
      (await valueOrThrow(studio.request('isolation.compareTexts', { ...wanted.of, pcm: wanted.pcm }))).texts,
    onSuccess: (texts, { of }) => {
      if (texts !== null) queries.setQueryData(keyOf(of), texts);
    },
  });
  const texts = kept.data ?? null;
  return {
    isOffered,
    texts: isHidden ? null : texts,
    isKnown: texts !== null,
    language: speechLanguage,
    failure: failureOf(listen.error) ?? failureOf(kept.error),
    isUnreadable: pcm.isError,
    isPending: listen.isPending,
    /** Null until it can be pressed. What is known is shown again, without a charge. */
    compare:
      texts !== null
        ? () => setIsHidden(false)
        : pcm.data === undefined
          ? null
          : () => {
              setIsHidden(false);
              listen.mutate({ of: asked, pcm: pcm.data });
            },
    hide: () => setIsHidden(true),
  };
}

export type ComparedTexts = ReturnType<typeof useTexts>;

export function Texts({ texts: compared, player }: { readonly texts: ComparedTexts; readonly player: ComparePlayer }) {
  const { texts, failure, isUnreadable, language, hide } = compared;
  const t = useText();
  const words = useFailureText();
  if (failure !== null || isUnreadable)
    return (
      <Banner
        role="alert"
        tone="warn"
        icon={CircleAlert}
        title={failure === null ? t('isolate.compare.notPlayable') : words(failure).title}
      >
        {failure === null ? t('isolate.compare.notPlayableText') : words(failure).textAfterTitle}
      </Banner>
    );
  if (texts === null) return null;
  return (
    <section className={css['texts']} aria-label={t('isolate.texts.title')}>
      <div className={css['head']}>
        <b>{t('isolate.texts.title')}</b>
        <span>{t(isSame(texts) ? 'isolate.texts.same' : 'isolate.texts.hint')}</span>
        <IconButton size="sm" icon={X} label={t('isolate.texts.hide')} onPress={hide} />
      </div>
      <Both texts={texts} language={language} player={player} />
    </section>
  );
}

const coresOf = (words: readonly Word[]) => words.map(({ text }) => coreOf(text));
const isSame = ({ original, isolated }: BothTexts): boolean =>
  coresOf(original).join(' ') === coresOf(isolated).join(' ');

function Both(props: { readonly texts: BothTexts; readonly language: string; readonly player: ComparePlayer }) {
  const { texts, language, player } = props;
  const t = useText();
  const same = matchWords(coresOf(texts.original), coresOf(texts.isolated));
  const sides = [
    { track: 'original', words: texts.original, kept: new Set(same.map(([place]) => place)) },
    { track: 'isolated', words: texts.isolated, kept: new Set(same.map(([, place]) => place)) },
  ] as const;
  return (
    <div className={css['sides']}>
      {sides.map(({ track, words, kept }) => (
        <div key={track} className={css['side']}>
          <p className={css['head']}>
            <b>{t(`isolate.compare.${track}`)}</b>
            <span>
              {t('isolate.texts.words', { count: words.length })}
              {', '}
              {t('isolate.texts.different', { count: words.length - kept.size })}
            </span>
          </p>
          {words.length === 0 ? (
            <p>{t('isolate.texts.nothing')}</p>
          ) : (
            <p className={css['text']} lang={language}>
              {words.map((word, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- words of a text that does not change
                <span key={at}>
                  {kept.has(at) ? (
                    word.text
                  ) : (
                    <button
                      type="button"
                      className={css['different']}
                      title={t('isolate.texts.play')}
                      onClick={() => {
                        player.seek(Math.max(0, word.startMs - 500));
                        if (!player.getState().isPlaying) player.toggle();
                      }}
                    >
                      {word.text}
                    </button>
                  )}{' '}
                </span>
              ))}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
