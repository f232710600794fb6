import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ContactRound, Ellipsis, Merge, Pencil, Plus, UserX } from 'lucide-react';
import { useState } from 'react';
import type { KnownSpeaker } from '../../../../shared/domain/library/library-item.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { useKnownSpeakers } from '../../../parts/transcripts/known-speakers.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { DialogState } from './dialog-state.tsx';
import css from './dialogs.module.css';

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

interface Draft {
  /** Null for a name that is not in the book yet. */
  readonly was: string | null;
  readonly name: string;
  readonly colour: number | null;
}

/**
 * The names the user gave to speakers: they can be renamed, recoloured, merged and removed. They are only suggestions.
 */
export function SpeakerBookDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { data, error, isPending, refetch } = useKnownSpeakers();
  const { save, forget, failure } = useBook();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [removed, setRemoved] = useState<KnownSpeaker | null>(null);
  const speakers = data ?? [];
  const shownFailure = failureOf(error) ?? failure;
  const into = speakers.find(({ name }) => draft !== null && name === draft.name.trim() && name !== draft.was);
  const done = async () => {
    if (draft === null || draft.name.trim() === '') return;
    if (await save(draft)) setDraft(null);
  };
  const form = draft !== null && (
    <div className={css['draft']}>
      <Field
        label={t('library.book.name')}
        value={draft.name}
        isAutoFocused
        onChange={(name) => {
          setDraft({ ...draft, name });
        }}
        onEnter={() => void done()}
      />
      <fieldset className={css['colours']}>
        <legend>{t('library.book.colourOf')}</legend>
        {colours.map((colour) => (
          <label key={colour}>
            <input
              type="radio"
              name="speaker-colour"
              checked={draft.colour === colour}
              onChange={() => {
                setDraft({ ...draft, colour });
              }}
            />
            <SpeakerMark number={colour} name={t('library.book.colour', { number: colour })} colour={colour} />
          </label>
        ))}
      </fieldset>
      {into !== undefined && draft.was !== null && (
        <p className={css['note']}>{t('library.book.becomesOne', { from: draft.was, into: into.name })}</p>
      )}
      <div className={css['buttons']}>
        <Button
          size="sm"
          onPress={() => {
            setDraft(null);
          }}
        >
          {t('common.cancel')}
        </Button>
        <Button size="sm" variant="primary" isDisabled={draft.name.trim() === ''} onPress={() => void done()}>
          {t(into !== undefined && draft.was !== null ? 'library.book.makeOne' : 'common.save')}
        </Button>
      </div>
    </div>
  );
  return (
    <Dialog
      isOpen
      title={t('library.book.title')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={<Button onPress={onClose}>{t('common.close')}</Button>}
    >
      <p className={css['lead']}>{t('library.book.text')}</p>
      <DialogState
        failure={shownFailure}
        waiting={isPending ? t('library.loading') : null}
        onRetry={error === null ? null : () => void refetch()}
      />
      <output>
        {removed !== null && (
          <span className={css['undo']}>
            {t('library.book.removed', { name: removed.name })}
            <Button
              size="sm"
              variant="ghost"
              onPress={() => {
                setRemoved(null);
                void save({ was: null, name: removed.name, colour: removed.colour });
              }}
            >
              {t('common.undo')}
            </Button>
          </span>
        )}
      </output>
      {draft?.was === null ? (
        form
      ) : (
        <Button
          size="sm"
          icon={Plus}
          onPress={() => {
            setDraft({ was: null, name: '', colour: null });
          }}
        >
          {t('library.book.add')}
        </Button>
      )}
      {data !== undefined && speakers.length === 0 && draft === null && (
        <EmptyState icon={ContactRound} title={t('library.book.none')}>
          {t('library.book.noneText')}
        </EmptyState>
      )}
      <ul className={css['rows']}>
        {speakers.map((speaker, at) =>
          draft?.was === speaker.name ? (
            <li key={speaker.name}>{form}</li>
          ) : (
            <li key={speaker.name}>
              <span className={css['name']}>
                <b>
                  <SpeakerMark number={speaker.colour ?? at + 1} name={speaker.name} />
                </b>
                <span>
                  {speaker.count === 0 ? t('library.book.unused') : t('library.book.count', { count: speaker.count })}
                </span>
              </span>
              <IconButton
                size="sm"
                icon={Pencil}
                label={t('library.book.edit', { name: speaker.name })}
                onPress={() => {
                  setDraft({ was: speaker.name, name: speaker.name, colour: speaker.colour });
                }}
              />
              <Menu
                label={t('library.moreFor', { title: speaker.name })}
                entries={[
                  ...(speakers.length < 2
                    ? []
                    : [
                        {
                          id: 'merge',
                          icon: Merge,
                          text: t('library.book.merge'),
                          entries: speakers
                            .filter((one) => one !== speaker)
                            .map(({ name, colour }) => ({
                              id: name,
                              text: name,
                              // The form asks for confirmation before it merges two names.
                              onAction: () => {
                                setDraft({ was: speaker.name, name, colour });
                              },
                            })),
                        },
                      ]),
                  {
                    id: 'remove',
                    icon: UserX,
                    text: t('library.book.remove'),
                    onAction: () => {
                      void forget(speaker.name).then((isDone) => {
                        if (isDone) setRemoved(speaker);
                      });
                    },
                  },
                ]}
                trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreFor', { title: speaker.name })} />}
              />
            </li>
          ),
        )}
      </ul>
    </Dialog>
  );
}

/** Changes the speaker book and refreshes everything that shows names. Each command returns whether it worked. */
function useBook() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { mutateAsync, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: transcriptListKey }),
  });
  const run = (work: () => Promise<unknown>) =>
    mutateAsync(work).then(
      () => true,
      () => false,
    );
  return {
    failure: failureOf(error),
    save: ({ was, name, colour }: Draft) =>
      run(() => valueOrThrow(studio.request('library.saveSpeaker', { was, name: name.trim(), colour }))),
    forget: (name: string) => run(() => valueOrThrow(studio.request('library.forgetSpeaker', { name }))),
  };
}
