import { Fragment } from 'react';
import { useLocation } from 'wouter';
import { useKeyFor } from '../lib/commands.tsx';
import type { Section } from '../lib/section.ts';
import { useText } from '../lib/text.ts';
import { PressButton } from '../ui/press-button.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { JobsDock } from './jobs-dock.tsx';
import css from './rail.module.css';
import { Recent } from './recent.tsx';
import { useSectionLocation } from './section-location.ts';
import { homeSection, railFoot, railGroups } from './sections.ts';

export function Rail() {
  const t = useText();
  return (
    <nav className={css['rail']} aria-label={t('shell.mainNavigation')} data-pane="rail">
      {railGroups.map((group, index) => (
        <Fragment key={group[0]?.path}>
          {index > 0 && <div className={css['gap']} />}
          {group.map((section) => (
            <RailLink key={section.path} section={section} />
          ))}
        </Fragment>
      ))}
      <CrashGuard isSmall>
        <Recent />
      </CrashGuard>
      <div className={css['space']} />
      <CrashGuard isSmall>
        <JobsDock />
      </CrashGuard>
      {railFoot.map((section) => (
        <RailLink key={section.path} section={section} />
      ))}
    </nav>
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
