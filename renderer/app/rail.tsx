import { ChevronDown } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSettings } from '../bridge/live-state.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { useKeyFor } from '../lib/commands.tsx';
import type { Section } from '../lib/section.ts';
import { useText } from '../lib/text.ts';
import { PressButton } from '../ui/press-button.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { JobsDock } from './jobs-dock.tsx';
import css from './rail.module.css';
import { Recent } from './recent.tsx';
import { useSectionLocation } from './section-location.ts';
import { homeSection, more, railGroups, useWorksHere } from './sections.ts';

export function Rail() {
  const t = useText();
  return (
    <nav className={css['rail']} aria-label={t('shell.mainNavigation')} data-pane="rail">
      <RailLinks of={railGroups.text} />
      <Tools />
      <CrashGuard isSmall>
        <Recent />
      </CrashGuard>
      <div className={css['space']} />
      <CrashGuard isSmall>
        <JobsDock />
      </CrashGuard>
      <RailLinks of={railGroups.foot} hasMore />
    </nav>
  );
}

/** Only what works in this mode; at the foot, what a key would add. */
function RailLinks({ of, hasMore = false }: { readonly of: readonly Section[]; readonly hasMore?: boolean }) {
  const worksHere = useWorksHere();
  return of.flatMap((section) => {
    const shown = worksHere(section) === true ? section : hasMore ? more : null;
    return shown === null ? [] : [<RailLink key={section.path} section={shown} />];
  });
}

/** Folded, they leave only the one in use; a rail of icons has no room for a heading and shows them all. */
function Tools() {
  const t = useText();
  const { areToolsFolded } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <PressButton
        className={css['fold']}
        isExpanded={!areToolsFolded}
        onPress={() => void change({ areToolsFolded: !areToolsFolded })}
      >
        {t('shell.tools')}
        <ChevronDown aria-hidden size={12} strokeWidth={2} />
      </PressButton>
      <div className={css['tools']} data-folded={areToolsFolded || undefined}>
        <RailLinks of={railGroups.tools} />
      </div>
    </>
  );
}

function RailLink({ section: { path, title, icon: Icon, command, Badge } }: { readonly section: Section }) {
  const t = useText();
  const [, navigate] = useLocation();
  const { section, isInDocument } = useSectionLocation();
  // A transcript opened from anywhere else, such as the settings, has its place under Transcribe.
  const shown = isInDocument && section.path !== '/library' ? homeSection : section;
  const shortcut = useKeyFor()(command);
  const text = t(title);
  return (
    <PressButton
      isLink
      className={css['item']}
      // A document is opened over its section, so the section is not the current page.
      current={shown.path !== path ? null : isInDocument ? 'true' : 'page'}
      shortcut={shortcut}
      tip={{ text, shortcut, placement: 'end' }}
      onPress={() => {
        navigate(path);
      }}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span className={css['name']}>{text}</span>
      {Badge && <Badge />}
    </PressButton>
  );
}
