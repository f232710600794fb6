/** The window around the screens, and the settings that the first version has. */
export const shell = {
  skipToContent: 'Go to the content',
  mainNavigation: 'Sections',
  titleBar: 'Title bar',
  content: 'Content',
  sections: { transcribe: 'Transcribe' },
  window: { minimize: 'Minimize', maximize: 'Maximize', restore: 'Restore', close: 'Close the window' },
  practice: {
    chip: 'Practice mode',
    title: 'Practice mode',
    text: 'Results are made up on this computer. Nothing is sent and no credits are used.',
    addKey: 'Add a key',
  },
  offline: {
    chip: 'Offline',
    title: 'You are offline',
    text: 'What is on this computer stays open. Everything that has to be sent waits and goes on by itself.',
  },
  jobs: {
    running_one: '{{count}} job running',
    running_other: '{{count}} jobs running',
    atService_one: '{{count}} job at the service',
    atService_other: '{{count}} jobs at the service',
    waiting_one: '{{count}} job waiting',
    waiting_other: '{{count}} jobs waiting',
    progress: 'Sent so far',
  },
  announce: {
    added_one: '{{count}} file added',
    added_other: '{{count}} files added',
    started_one: '{{count}} file started',
    started_other: '{{count}} files started',
    done_one: '{{count}} file done',
    done_other: '{{count}} files done',
    failed_one: '{{count}} file failed: {{reason}}',
    failed_other: '{{count}} files failed: {{reason}}',
    sent: '{{percent}} sent',
  },
  settings: {
    open: 'Settings',
    language: 'Interface language',
  },
  crashed: {
    title: 'This part of the window stopped',
    text: 'Your recordings, transcripts and queue are kept. Show it again to go on.',
    pane: 'The part “{{name}}” stopped.',
    whole: 'The window stopped',
    again: 'Show again',
    diagnostics: 'Diagnostics',
    diagnosticsText: 'This is all that would be copied. It holds no keys, no paths, no names and no words of yours.',
    copy: 'Copy diagnostics',
    copied: 'Copied',
  },
  notStarted: {
    title: 'The studio could not start',
    again: 'Try again',
  },
  keyInText: {
    stopped: 'This looks like an API key, so it was not put here. Enter keys in the settings, under Connection.',
    covered:
      'This looks like an API key. It is covered and will not be kept here; enter keys in the settings, under Connection.',
  },
};
