import { appErrors } from './errors-app.ts';
import { accountErrors } from './errors-account.ts';
import { askErrors } from './errors-ask.ts';
import { cloneErrors } from './errors-clone.ts';
import { liveErrors } from './errors-live.ts';
import { computerErrors } from './errors-computer.ts';
import { httpErrors } from './errors-http.ts';
import { networkErrors } from './errors-network.ts';

/** Words of failures, filed under the row that decided; `textPlain` is used when a value that `text` mentions is not known. */
export const errors = {
  ...networkErrors,
  ...httpErrors,
  ...accountErrors,
  ...askErrors,
  ...cloneErrors,
  ...liveErrors,
  ...computerErrors,
  ...appErrors,
  /** Failures of this computer that a code tells apart within one row. */
  variants: {
    empty_file: {
      title: 'File is empty',
      text: '{{name}} is empty, so it was not sent. Nothing was charged.',
      textPlain: 'The file is empty, so it was not sent. Nothing was charged.',
    },
    not_audio: {
      title: 'Doesn’t look like audio',
      text: '{{name}} doesn’t look like audio, so it was not sent. Nothing was charged.',
      textPlain: 'The file doesn’t look like audio, so it was not sent. Nothing was charged.',
    },
    no_sound: {
      title: 'No sound in this file',
      text: 'No sound was found in {{name}}, so there is nothing to transcribe. Nothing was charged.',
      textPlain: 'No sound was found in this file, so there is nothing to transcribe. Nothing was charged.',
    },
    needs_converter: {
      title: 'This kind of file needs ffmpeg',
      text: 'The sound of {{name}} has to be converted first. Install ffmpeg on this computer and try again, or save the file as MP3. Nothing was charged.',
      textPlain:
        'The sound of this file has to be converted first. Install ffmpeg on this computer and try again, or save the file as MP3. Nothing was charged.',
    },
    not_convertible: {
      title: 'The sound can’t be taken out',
      text: 'The sound of {{name}} can’t be read; the file may be damaged. It was not sent, nothing was charged.',
      textPlain: 'The sound of this file can’t be read; it may be damaged. It was not sent, nothing was charged.',
    },
    not_a_file: {
      title: 'Not a file',
      text: '{{name}} is not a file that can be sent. Add a recording or a folder with recordings.',
      textPlain: 'This is not a file that can be sent. Add a recording or a folder with recordings.',
    },
    file_missing: {
      title: 'File not found',
      text: '{{name}} is not where it was. It was not changed by this app. Put it back or choose it again.',
      textPlain: 'The file is not where it was. It was not changed by this app. Put it back or choose it again.',
    },
    file_unreadable: {
      title: 'File can’t be opened',
      text: '{{name}} can’t be opened: this computer does not allow it, or another program holds it. Nothing was sent.',
      textPlain:
        'The file can’t be opened: this computer does not allow it, or another program holds it. Nothing was sent.',
    },
    folder_unreadable: {
      title: 'Folder can’t be opened',
      text: 'The folder {{name}} can’t be opened, so nothing in it was added.',
      textPlain: 'The folder can’t be opened, so nothing in it was added.',
    },
    file_too_large_here: {
      title: 'File is too large',
      text: '{{name}} is larger than this app can handle, so it was not sent. Nothing was charged.',
      textPlain: 'The file is larger than this app can handle, so it was not sent. Nothing was charged.',
    },
    export_not_writable: {
      title: 'Can’t write there',
      text: '{{name}} can’t be written in that place. Choose another place; the transcript is safe.',
      textPlain: 'The file can’t be written in that place. Choose another place; the transcript is safe.',
    },
  },
  /** Codes of the service that say more than the row they share. */
  codes: {
    maybe_sent: {
      title: 'May already have been sent',
      text: 'The damaged library no longer says whether this was sent. We have not sent it again, because that could cost you twice.',
    },
    transcript_too_long: {
      title: 'Transcript is too long to show',
      text: 'This transcript has more words than can be shown here. All of them are kept on this computer; save it as a file to read it.',
    },
    move_inside: {
      title: 'Choose another folder',
      text: 'The library can’t be moved into its own folder. It stays where it is.',
    },
    move_not_empty: {
      title: 'That folder is in use',
      text: 'There is already a folder for a library, and it is not empty. Choose another folder; the library stays where it is.',
    },
    move_no_room: {
      title: 'Not enough room there',
      text: 'The disk you chose has not enough room for the library. It stays where it is.',
    },
    move_not_writable: {
      title: 'Nothing can be written there',
      text: 'The app can’t write into the folder you chose. The library stays where it is.',
    },
    move_cancelled: {
      title: 'Moving was cancelled',
      text: 'The library stays where it is; what was copied is removed.',
    },
    proxy_unreachable: {
      title: 'The proxy can’t be used',
      text: 'The proxy did not answer or let nothing through, so nothing was sent. Check it in the settings, under Connection, then try again.',
    },
    challenge_mismatch: {
      title: 'Words didn’t match the text',
      text: 'The words you read didn’t match the text. This try is used up; there are five in all. Get a new text and read it exactly.',
    },
    speaker_mismatch: {
      title: 'Voice didn’t match the recording',
      text: 'The voice didn’t match your recording. This try is used up; there are five in all. Read a new text with the same voice and microphone.',
    },
    webhook_not_found: {
      title: 'That webhook no longer exists',
      text: 'That webhook or delivery no longer exists at the service. The list is read again.',
    },
    webhook_revision_conflict: {
      title: 'Changed somewhere else',
      text: 'This webhook was changed somewhere else meanwhile. Nothing was overwritten; look at both and decide.',
    },
    webhook_delivery_not_retryable: {
      title: 'Can’t be delivered again',
      text: 'Only a failed delivery of a webhook that is on can be sent again.',
    },
    webhook_limit_reached: {
      title: 'No room for another webhook',
      text: 'You have 20 active webhooks already, the most allowed. Delete one or turn it off to make room.',
    },
  },
  actions: {
    retry: 'Retry',
    'try-now': 'Try now',
    'go-on': 'I’ve added credits, go on',
    'enter-key': 'Enter key',
    'change-key': 'Use another key',
    'recheck-key': 'Check again',
    'change-address': 'Check address',
    'locate-file': 'Find file',
    'use-new-version': 'Use new version (new charge)',
    'send-again': 'Send again (may be charged)',
    'check-again': 'Check again',
    'open-earlier': 'Open the earlier one',
    'copy-earlier': 'Use that text',
    'save-raw-answer': 'Save the answer as it came',
    remove: 'Remove from the list',
    cancel: 'Cancel',
    'fix-input': 'Correct',
    'choose-period': 'Choose a period',
    'revoke-key': 'Revoke the key',
    'ask-again': 'Ask again (new charge)',
    'attach-again': 'Attach again',
    'manage-attachments': 'Manage attachments',
    'manage-voices': 'Manage voices',
    'record-again': 'Record again',
    'new-text': 'Get a new text',
    'start-over': 'Start over',
    'send-as-file': 'Send as a file',
    'try-live-again': 'Try live again',
    'copy-details': 'Copy details',
  },
  fallback: {
    title: 'Something went wrong',
    text: 'Something went wrong that this version has no words for. Nothing was deleted. Copy the details if you need help.',
  },
};
