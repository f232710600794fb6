/** Account keys, usage and webhooks. */
export const accountErrors = {
  'E-061': {
    title: 'Please correct the marked fields',
    text: 'The service did not accept some of what was entered. Nothing was changed. Correct the marked fields and save again.',
  },
  'E-062': {
    title: 'List reloaded',
    text: 'The list was reloaded from its beginning, because the service no longer knew the place where it stopped.',
  },
  'E-063': {
    title: 'That period isn’t possible',
    text: 'The service can’t show that period. It shows at most 90 days, and by the hour at most 31. Choose another period.',
  },
  'E-064': {
    title: 'Keys can’t be managed from here',
    text: 'Key management isn’t allowed from this app for your account. Use the service’s own site. The rest of the studio works.',
  },
  'E-065': {
    title: 'That key no longer exists',
    text: 'That key no longer exists at the service. The list is read again.',
  },
  'E-066': {
    title: 'Key still has work',
    text: 'This key still has work on the service, so it can’t be deleted. You can turn it off for good instead.',
  },
  'E-067': {
    title: 'Key’s secret was lost',
    text: 'The key may have been created, but its secret was lost on the way and is shown only once. Revoke it and make a new one.',
  },
  'E-068': {
    title: 'This app’s key was revoked',
    text: 'You revoked the key this app is using. Your files are safe and waiting. Enter another key to go on.',
  },
  'E-100': {
    title: 'Webhook not changed',
    text: 'The service did not accept this change of a webhook. Nothing was changed. Look at it again and try once more.',
  },
};
