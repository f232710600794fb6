import { ArrowRight, Columns2, Plus, Search, UserRoundX } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { cloneRules } from '../../../../shared/domain/voices/clone-rules.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useCommands, useRunCommand } from '../../../lib/commands.tsx';
import type { SectionScreenProps } from '../../../lib/section.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../../ui/panel.tsx';
import { useSpeakState, useSpeaking } from '../speak-context.tsx';
import { useVoices } from '../use-voices.ts';
import { CloneWizard } from './clone/clone-wizard.tsx';
import { useClone } from './clone/use-clone.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { DraftCard, NewVoice } from './draft-card.tsx';
import { languageOf, sampleFor, useKnownPreviews } from './use-samples.ts';
import { VoiceCard } from './voice-card.tsx';
import { Toggle, type VoiceFilter, VoiceFilters, VoiceLanguages, VoicesNotice } from './voice-filters.tsx';
import css from './voices-screen.module.css';
import { useQuery } from '@tanstack/react-query';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { Question } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';

const mostCompared = 6;
const filters: readonly VoiceFilter[] = ['favourites', 'recent', 'female', 'male'];

/** All available voices: those of the account, and the service's catalogue. */
export function VoicesScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { mode } = useSettings();
  const runCommand = useRunCommand();
  const { store } = useSpeaking();
  const marks = useSpeakState((state) => state.marks);
  const { data, error, isLoading, refetch } = useVoices();
  const clone = useClone(true);
  const lacksKey = useLacksKey();
  const removing = useRemoving();
  const [search, setSearch] = useState('');
  const [language, setLanguage] = useState<SpeechLanguage | null>(null);
  const [on, setOn] = useState<ReadonlySet<VoiceFilter>>(new Set());
  const [compared, setCompared] = useState<readonly string[]>([]);
  const [isComparing, setIsComparing] = useState(false);
  const [edited, setEdited] = useState<SpeechVoice | null>(null);
  const [removed, setRemoved] = useState<SpeechVoice | null>(null);
  useEffect(() => {
    if (store.getState().document === null) void store.load();
  }, [store]);
  const voices = data?.voices ?? [];
  useKnownPreviews(useMemo(() => (data?.voices ?? []).map(sampleFor), [data]));
  const openWizard = () => {
    onSubpath('clone');
  };
  const speakWith = (voice: SpeechVoice) => {
    const inUse = store.getState().document?.defaults.language;
    const fitting = inUse !== undefined && voice.languages.includes(inUse) ? inUse : languageOf(voice);
    store.setDefaults({ language: fitting, voiceId: voice.id });
    store.setMarks({ ...marks, recent: [voice.id, ...marks.recent.filter((id) => id !== voice.id)].slice(0, 8) });
    runCommand('section.speak');
  };
  useCommands({ 'voices.clone': openWizard });
  const wanted = foldText(search.trim()).text;
  const isShown = (voice: SpeechVoice) =>
    foldText(`${voice.name} ${voice.description ?? ''}`).text.includes(wanted) &&
    (language === null || voice.languages.includes(language)) &&
    (!on.has('female') || voice.gender === 'female') &&
    (!on.has('male') || voice.gender === 'male') &&
    (!on.has('favourites') || marks.favourites.includes(voice.id)) &&
    (!on.has('recent') || marks.recent.includes(voice.id));
  const own = voices.filter(({ isOwn }) => isOwn);
  const isFull = own.length >= cloneRules.voices || clone.capabilities?.available === false;
  const shown = voices.filter((voice) => !voice.isOwn && isShown(voice));
  const shownOwn = own.filter(isShown);
  const chosen = voices.filter(({ id }) => compared.includes(id));
  const lengths = voices.map((voice) => Array.from(sampleFor(voice).text).length);
  const [from, to] = [Math.min(...lengths), Math.max(...lengths)];
  const card = (voice: SpeechVoice) => (
    <VoiceCard
      key={voice.id}
      voice={voice}
      isRemoving={removing.ids.includes(voice.id)}
      isCompared={compared.includes(voice.id)}
      onUse={() => {
        speakWith(voice);
      }}
      onCompare={() => {
        setCompared((before) =>
          before.includes(voice.id)
            ? before.filter((id) => id !== voice.id)
            : [...before, voice.id].slice(-mostCompared),
        );
      }}
      onEdit={() => {
        setEdited(voice);
      }}
      onRemove={() => {
        setRemoved(voice);
      }}
    />
  );
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('voices.title')}</PanelTitle>
          <PanelActions>
            <div className={css['search']}>
              <Field
                type="search"
                icon={Search}
                label={t('voices.search')}
                placeholder={t('voices.search')}
                value={search}
                onChange={setSearch}
              />
            </div>
            <Button
              variant="primary"
              icon={clone.draft === null ? Plus : ArrowRight}
              isDisabled={isFull && clone.draft === null}
              onPress={openWizard}
            >
              {t(clone.draft === null ? 'voices.clone' : 'voices.continue')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('voices.title')}>
        <div className={css['scroll']}>
          {lacksKey && <NoKeyNotice />}
          <VoicesNotice data={data} error={error} refetch={refetch} />
          {isLoading && <p className={css['hint']}>{t('speak.voices.loading')}</p>}
          {data !== undefined && (
            <>
              <div className={css['head']}>
                <h2>{t('voices.own')}</h2>
                <span className={cx(css['count'], css['push'])}>
                  {t('voices.countOf', { count: own.length, most: cloneRules.voices })}
                </span>
                {isFull && <p className={css['hint']}>{t('voices.limit')}</p>}
              </div>
              <ul className={css['grid']} aria-label={t('voices.own')}>
                {shownOwn.map(card)}
                {clone.draft !== null && <DraftCard clone={clone} onOpen={openWizard} />}
                {!isFull && <NewVoice clone={clone} onOpen={openWizard} />}
              </ul>
              <div className={css['head']}>
                <h2>{t('voices.catalogue')}</h2>
                <VoiceLanguages label={t('voices.languages')} language={language} onLanguage={setLanguage}>
                  <Toggle isOn={language === null} onPress={() => setLanguage(null)}>
                    {t('voices.all')}
                  </Toggle>
                </VoiceLanguages>
                <VoiceFilters filters={filters} on={on} onFilters={setOn} />
                {voices.length > 0 && (
                  <p className={css['hint']}>
                    {modeOf(mode).isFree
                      ? t('voices.practiceFree')
                      : from === to
                        ? t('voices.costHint', { count: to })
                        : t('voices.costsHint', { from, to })}
                  </p>
                )}
              </div>
              {shown.length > 0 ? (
                <ul className={css['grid']} aria-label={t('voices.catalogue')}>
                  {shown.map(card)}
                </ul>
              ) : voices.length === 0 ? (
                <EmptyState icon={UserRoundX} title={t('voices.noneAtAll')}>
                  {t('voices.noneAtAllText')}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={UserRoundX}
                  title={t('voices.none')}
                  action={
                    <Button
                      onPress={() => {
                        setSearch('');
                        setLanguage(null);
                        setOn(new Set());
                      }}
                    >
                      {t('speak.voices.showAll')}
                    </Button>
                  }
                >
                  {t('voices.noneText')}
                </EmptyState>
              )}
            </>
          )}
        </div>
        {chosen.length > 0 && (
          <section className={css['bar']} aria-label={t('voices.compare')}>
            {t('voices.chosen', { count: chosen.length })}
            {chosen.length < 2 && <span className={css['hint']}>{t('voices.chooseMore')}</span>}
            <Button variant="ghost" size="sm" onPress={() => setCompared([])}>
              {t('voices.clear')}
            </Button>
            <Button size="sm" icon={Columns2} isDisabled={chosen.length < 2} onPress={() => setIsComparing(true)}>
              {t('voices.compareNow')}
            </Button>
          </section>
        )}
      </PanelContent>
      {isComparing && <CompareDialog voices={chosen} onUse={speakWith} onClose={() => setIsComparing(false)} />}
      {edited !== null && (
        <DetailsDialog
          voice={edited}
          onClose={(isChanged) => {
            setEdited(null);
            if (isChanged) void refetch();
          }}
        />
      )}
      {removed !== null && (
        <RemoveVoice
          voice={removed}
          onClose={(isRemoved) => {
            setRemoved(null);
            if (!isRemoved) return;
            setCompared((before) => before.filter((id) => id !== removed.id));
            void Promise.all([refetch(), removing.reload(), clone.reload()]);
          }}
        />
      )}
      {subpath === 'clone' && (
        <CloneWizard
          clone={clone}
          onUse={speakWith}
          onEdit={setEdited}
          onClose={() => {
            onSubpath('');
            void refetch();
          }}
        />
      )}
    </Panel>
  );
}

const againAfterMs = 30_000;

/** Disabled voices whose recordings the service is still deleting; each check repeats the request (E-097). */
function useRemoving(): { readonly ids: readonly string[]; readonly reload: () => Promise<unknown> } {
  const studio = useStudio();
  const { mode } = useConnection();
  const { data, refetch } = useQuery({
    queryKey: ['voices', 'removing', mode],
    queryFn: () => valueOrThrow(studio.request('voices.removing', {})),
    retry: false,
    refetchInterval: ({ state }) => ((state.data?.voiceIds.length ?? 0) > 0 ? againAfterMs : false),
  });
  return { ids: data?.voiceIds ?? [], reload: refetch };
}

/** Asks before a voice is deleted at the service, which can't be undone. */
function RemoveVoice({
  voice,
  onClose,
}: {
  readonly voice: SpeechVoice;
  readonly onClose: (isRemoved: boolean) => void;
}) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { id, name } = voice;
  const remove = async () => {
    const answer = await studio.request('voices.remove', { voiceId: id });
    if (answer.ok)
      showToast({ text: t(answer.value.isCleaningUp ? 'voices.removedCleaning' : 'voices.removed', { name }) });
    else showToast({ text: `${t('voices.notRemoved')}. ${words(answer.error).text}`, shownForMs: 12_000 });
    if (answer.ok) onClose(true);
  };
  return (
    <Question
      isDanger
      isOpen
      title={t('voices.removeTitle', { name })}
      confirm={t('voices.removeConfirm')}
      cancel={t('voices.keep')}
      onConfirm={() => void remove()}
      onClose={() => {
        onClose(false);
      }}
    >
      {t('voices.removeText')}
    </Question>
  );
}
