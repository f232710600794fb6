import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, Ellipsis, FileDown, FileUp, Pencil, Plus, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { NamedProfile } from '../../../shared/domain/subtitles/profile-file.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import { LineAlert } from '../../ui/line-alert.tsx';
import css from './caption-options.module.css';
import {
  findProfile,
  guidesFor,
  isSameProfile,
  profileOf,
  profilesQuery,
  standardRules,
  type CaptionChoice,
} from './profile-of.ts';

/** No guide's name has this prefix; guides and own profiles share one list. */
const ownId = (name: string) => `own:${name}` as const;

export function ProfileOption({ choice }: { readonly choice: CaptionChoice }) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const queries = useQueryClient();
  const { queryKey } = profilesQuery(studio);
  const { data } = useQuery(profilesQuery(studio));
  const own = data?.profiles ?? [];
  /** Whose numbers the present ones started from. */
  const [base, setBase] = useState<string | null>(null);
  const [naming, setNaming] = useState<{ readonly replaces: string | null; readonly typed: string } | null>(null);
  const change = useMutation({
    mutationFn: (work: () => Promise<string | null>) => work(),
    onSuccess: (name) => {
      if (name !== null) setBase(ownId(name));
      setNaming(null);
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });

  const guides = guidesFor(choice.facts);
  const ids = Object.keys(guides) as (keyof typeof guides)[];
  const found = findProfile(choice.options, choice.facts, own);
  // Prefer the profile that was chosen over another one with the same numbers.
  const chosenOwn =
    own.find(({ name, profile }) => ownId(name) === base && isSameProfile(profile, choice.options)) ??
    (found !== null && 'own' in found ? found.own : undefined);
  const chosen =
    chosenOwn === undefined ? (found !== null && 'guide' in found ? found.guide : undefined) : ownId(chosenOwn.name);
  if (chosen !== undefined && chosen !== base) setBase(chosen);
  const changed = chosen === undefined ? own.find(({ name }) => ownId(name) === base) : undefined;
  const origin = ids.find((id) => id === base) ?? 'standard';
  const profile = profileOf(choice.options);

  const choose = (id: string) => {
    const mine = own.find((one) => ownId(one.name) === id);
    const guide = ids.find((one) => one === id);
    setBase(id);
    setNaming(null);
    change.reset();
    if (mine !== undefined) choice.change({ ...mine.profile });
    // Its numbers are not kept, because they differ by language.
    else if (guide === 'standard') choice.change(standardRules);
    else if (guide !== undefined) choice.change({ ...guides[guide] });
  };
  const save = (named: NamedProfile, replaces: string | null) =>
    change.mutate(async () => {
      await valueOrThrow(studio.request('exports.saveProfile', { named, replaces }));
      return named.name;
    });
  const remove = (named: NamedProfile) =>
    change.mutate(async () => {
      await valueOrThrow(studio.request('exports.removeProfile', { name: named.name }));
      showUndo({
        text: t('exports.guide.deleted', { name: named.name }),
        icon: Trash2,
        undo: () => save(named, null),
      });
      return null;
    });
  const take = () =>
    change.mutate(async () => {
      const { name } = await valueOrThrow(studio.request('exports.importProfile', {}));
      const { profiles } = await valueOrThrow(studio.request('exports.profiles', {}));
      const taken = profiles.find((one) => one.name === name);
      if (taken !== undefined) choice.change({ ...taken.profile });
      return name;
    });
  const share = (name: string) =>
    change.mutate(async () => {
      const { savedAs } = await valueOrThrow(studio.request('exports.shareProfile', { name }));
      if (savedAs !== null) showToast({ text: t('exports.saved', { name: savedAs }), icon: Check });
      return name;
    });

  const entries: MenuEntry[] = [
    ...(changed === undefined
      ? []
      : [
          {
            id: 'update',
            text: t('exports.guide.update', { name: changed.name }),
            icon: Check,
            onAction: () => profile !== null && save({ name: changed.name, profile }, changed.name),
          },
        ]),
    {
      id: 'new',
      text: t('exports.guide.saveNew'),
      icon: Plus,
      onAction: () => {
        change.reset();
        setNaming({ replaces: null, typed: '' });
      },
    },
    { id: 'import', text: t('exports.guide.import'), icon: FileUp, onAction: take },
    ...(chosenOwn === undefined
      ? []
      : ([
          'separator',
          {
            id: 'rename',
            text: t('exports.guide.rename'),
            icon: Pencil,
            onAction: () => {
              change.reset();
              setNaming({ replaces: chosenOwn.name, typed: chosenOwn.name });
            },
          },
          { id: 'share', text: t('exports.guide.share'), icon: FileDown, onAction: () => share(chosenOwn.name) },
          {
            id: 'delete',
            text: t('exports.guide.delete'),
            icon: Trash2,
            isDanger: true,
            onAction: () => remove(chosenOwn),
          },
        ] satisfies MenuEntry[])),
  ];

  const failure = failureOf(change.error);
  const error =
    change.error === null
      ? null
      : failure?.code === 'not_a_profile'
        ? t('exports.guide.notOne')
        : failure?.kind === 'name-taken'
          ? t('exports.guide.taken')
          : failure === null
            ? t('exports.failed')
            : words(failure).text;
  const name = naming?.typed.trim() ?? '';
  const submit = () => {
    if (naming !== null && name !== '' && profile !== null) save({ name, profile }, naming.replaces);
  };
  return (
    <div className="column gap-8" data-caption-style>
      <div className={css['guide']}>
        <Select
          label={t('exports.options.profile')}
          value={chosen ?? 'own'}
          options={[
            ...ids.map((id) => ({ value: id, text: t(`exports.profiles.${id}`) })),
            ...own.map((one) => ({ value: ownId(one.name), text: one.name })),
            ...(chosen === undefined ? [{ value: 'own' as const, text: t('exports.profiles.own') }] : []),
          ]}
          onChange={choose}
        />
        <Menu
          label={t('exports.guide.menu')}
          entries={entries}
          trigger={<IconButton label={t('exports.guide.menu')} icon={Ellipsis} />}
        />
      </div>
      {chosen === undefined && (
        <Button size="sm" icon={RotateCcw} onPress={() => choose(changed === undefined ? origin : ownId(changed.name))}>
          {t('exports.guide.reset', { name: changed?.name ?? t(`exports.profiles.${origin}`) })}
        </Button>
      )}
      {naming !== null && (
        <div className="column gap-8">
          <Field
            label={t('exports.guide.name')}
            value={naming.typed}
            isAutoFocused
            onChange={(typed) => setNaming({ ...naming, typed: typed.slice(0, 80) })}
            onEnter={submit}
          />
          <div className="flex gap-8 ending">
            <Button
              size="sm"
              onPress={() => {
                setNaming(null);
                change.reset();
              }}
            >
              {t('exports.cancel')}
            </Button>
            <Button size="sm" variant="primary" isDisabled={name === ''} isLoading={change.isPending} onPress={submit}>
              {t('exports.guide.save')}
            </Button>
          </div>
        </div>
      )}
      {error !== null && <LineAlert icon={CircleAlert}>{error}</LineAlert>}
    </div>
  );
}
