import { useMemo, useState, type ReactNode } from 'react';
import type { ImportedText } from '../../../../shared/domain/speech/edit-document.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking } from '../speak-context.tsx';
import css from '../speak-screen.module.css';

const places = ['new', 'cursor', 'replace'] as const;
type Place = (typeof places)[number];

/** Asks where the text goes if there is text already, or the file has times. */
export function useImportText(cursorAt: () => number | null): readonly [(dropped: File | null) => void, ReactNode] {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const { store } = useSpeaking();
  const [asked, setAsked] = useState<ImportedText | null>(null);
  const [place, setPlace] = useState<Place>('new');
  const [keepsTimes, setKeepsTimes] = useState(true);
  const put = async (imported: ImportedText, where: Place, at: number | null) => {
    setAsked(null);
    if (where === 'new' && !(await store.create())) return;
    const { document } = store.getState();
    if (document === null) return;
    store.importText(imported, where === 'cursor' ? { at: at ?? document.text.length } : 'whole');
    const text = t('speak.imported', { name: imported.name });
    if (where === 'new') showToast({ text });
    else showUndo({ text, undo: () => store.undo(), until: onceChanged(store, ({ steps }) => steps) });
  };
  const read = async (dropped: File | null) => {
    const token = dropped === null ? null : await studio.fileTokenFor(dropped);
    if (token !== null && !token.ok) return token;
    return studio.request('speak.importText', { token: token === null ? null : token.value });
  };
  const choose = async (dropped: File | null) => {
    const answer = await read(dropped);
    if (!answer.ok) return showToast({ text: `${t('speak.importFailed')}. ${words(answer.error).text}` });
    const { imported } = answer.value;
    const { document } = store.getState();
    if (imported === null || document === null) return undefined;
    const isEmpty = document.text.trim() === '';
    if (isEmpty && imported.cues === null) return put(imported, 'replace', null);
    setPlace(isEmpty ? 'replace' : 'new');
    setKeepsTimes(imported.cues !== null);
    return setAsked(imported);
  };
  const characters = useMemo(() => (asked === null ? 0 : store.charactersOf(asked)), [asked, store]);
  const hasTimes = asked !== null && asked.cues !== null && place !== 'cursor';
  const dialog = (
    <Dialog
      title={t('speak.importTitle', { name: asked?.name ?? '' })}
      width="sm"
      isOpen={asked !== null}
      onClose={() => setAsked(null)}
      footer={
        <>
          <Button onPress={() => setAsked(null)}>{t('speak.cancel')}</Button>
          <Button
            variant="primary"
            onPress={() => {
              if (asked === null) return;
              void put({ ...asked, cues: hasTimes && keepsTimes ? asked.cues : null }, place, cursorAt());
            }}
          >
            {t('speak.importNow')}
          </Button>
        </>
      }
    >
      <div className="column gap-16">
        {asked !== null && (
          <div>
            <p className={css['excerpt']}>{asked.text}</p>
            <p className="caption muted">{t('speak.characters', { count: characters })}</p>
          </div>
        )}
        <Segmented
          isBlock
          isLabelShown
          label={t('speak.importWhere')}
          value={place}
          options={places.map((value) => ({ value, text: t(`speak.importPlaces.${value}`) }))}
          onChange={setPlace}
        />
        {hasTimes && (
          <Switch
            label={t('speak.importTimes')}
            hint={t('speak.importTimesHint')}
            isOn={keepsTimes}
            onChange={setKeepsTimes}
          />
        )}
      </div>
    </Dialog>
  );
  return [(dropped) => void choose(dropped), dialog];
}
