/** Answers of the service, and what becomes of its jobs. */
export const httpErrors = {
  'E-030': {
    title: 'Request not accepted',
    text: 'The service did not accept this request. Nothing was charged. Copy the details if you need help with it.',
  },
  'E-031': {
    title: 'Request number not accepted',
    text: 'The service did not accept the number of this request. Nothing was charged.',
  },
  'E-032': {
    title: 'API key not accepted',
    text: 'Your API key was not accepted. It may be wrong, expired or revoked. Your files are safe and waiting for a working key.',
  },
  'E-033': {
    title: 'Sign-in has ended',
    text: 'Your account sign-in has ended. Transcribing and everything else in the studio go on.',
  },
  'E-034': {
    title: 'Not enough credits',
    text: 'Your account has run out of credits. Your files are waiting; nothing was lost, and nothing extra was charged. Add credits, then go on.',
  },
  'E-035': {
    title: 'Key’s spending limit reached',
    text: 'This key has reached its own spending limit. Your account may still have credits. Raise the limit or use another key, then go on.',
  },
  'E-036': {
    title: 'Payment limit reached',
    text: 'A payment limit was reached. Your files are waiting; nothing was lost. Check credits and the key’s limit, then go on.',
  },
  'E-037': {
    title: 'Key lacks a permission',
    text: 'This key isn’t allowed to do this. It needs the permission “{{permission}}”. Nothing was charged; use another key or turn the permission on.',
    textPlain: 'This key isn’t allowed to do this. Nothing was charged; use another key or turn the permission on.',
  },
  'E-038': {
    title: 'Key not allowed from here',
    text: 'This key may only be used from certain places (an IP or origin rule). Your files wait here. Try from another network or use another key.',
  },
  'E-039': {
    title: 'Not offered by this service',
    text: 'This isn’t available on this service right now. Your files wait here. Check the service address or try later.',
  },
  'E-040': { title: 'Deleted on the service', text: 'This was deleted on the service. Your local copy is still here.' },
  'E-041': {
    title: 'Service can’t find this job',
    text: 'The service can’t find this job any more. We have not sent it again, because that could cost you twice.',
  },
  'E-042': {
    title: 'Belongs to another key',
    text: 'This job belongs to another key (ends in {{suffix}}). Use that key again, or send with this key (a new charge).',
    textPlain: 'This job belongs to another key. Use that key again, or send with this key (a new charge).',
  },
  'E-043': {
    title: 'App and service don’t fit',
    text: 'This version of the app and the service don’t fit together. Nothing was charged. Check the service address, or look for an update.',
  },
  'E-044': {
    title: 'Service asked to wait',
    text: 'The service asked to try later. It is sent again by itself and charged only once.',
  },
  'E-045': {
    title: 'Already sent, checking',
    text: 'The service says this was already sent. We’re checking what became of it before anything is sent again.',
  },
  'E-046': {
    title: 'No longer on the service',
    text: 'This is no longer on the service. Your local copy is still here.',
  },
  'E-047': {
    title: 'Changed somewhere else',
    text: 'This changed somewhere else meanwhile. Nothing was overwritten; check again to see the newest version.',
  },
  'E-048': {
    title: 'Too large for the service',
    text: 'The file is too large for the service ({{size}}). Nothing was charged. Save it smaller or in parts and add it again.',
    textPlain:
      'The file is too large for the service. Nothing was charged. Save it smaller or in parts and add it again.',
  },
  'E-049': {
    title: 'File kind not supported',
    text: 'The service can’t read this kind of file. Nothing was charged. Save it as MP3, WAV, M4A, OGG, WebM or FLAC and add it again.',
  },
  'E-050': {
    title: 'Something isn’t valid',
    text: 'Something in this request isn’t valid ({{fields}}). Nothing was charged. The details say what the service found.',
    textPlain: 'Something in this request isn’t valid. Nothing was charged. The details say what the service found.',
  },
  'E-051': {
    title: 'Service is busy with this',
    text: 'The service is busy with this item. We’ll try again shortly; nothing is lost.',
  },
  'E-052': {
    title: 'Waiting: too many requests',
    text: 'The service asked us to slow down. Next try in {{wait}}. Nothing is lost.',
    textPlain: 'The service asked us to slow down. We’ll go on by ourselves. Nothing is lost.',
  },
  'E-053': {
    title: 'Waiting: too many requests',
    text: 'The service asked us to slow down. We’ll go on by ourselves. Nothing is lost.',
  },
  'E-054': {
    title: 'Not provided for legal reasons',
    text: 'The service may not provide this for legal reasons. Nothing was charged; your file is unchanged.',
  },
  'E-055': {
    title: 'Request not accepted',
    text: 'The service did not accept this request. Nothing was charged. Copy the details if you need help with it.',
  },
  'E-056': {
    title: 'Service had a problem',
    text: 'The service had a problem. Trying again safely: you won’t be charged twice.',
  },
  'E-057': {
    title: 'Service is not answering',
    text: 'The service is not answering. We keep trying with longer pauses. Nothing is sent or charged twice.',
  },
  'E-058': {
    title: 'Out of order at the service',
    text: 'This part of the service is out of order. It will be tried again by itself; your files are waiting.',
  },
  'E-059': {
    title: 'Network needs a sign-in',
    text: 'This network wants you to sign in first, so nothing was sent. Sign in to the network in a browser, then try again.',
  },
  'E-060': {
    title: 'Service had a problem',
    text: 'The service had a problem. Trying again safely: you won’t be charged twice.',
  },
  'E-082': {
    title: 'Key can’t fetch results',
    text: 'This key can send work but isn’t allowed to fetch the results. They are waiting at the service: use a key with read access.',
  },
  'E-083': {
    title: 'Key could not fetch the result',
    text: 'This key could start the work but not collect it, so nothing was sent. Use a key with read access.',
  },
  'E-160': {
    title: 'Service couldn’t process this',
    text: 'The service couldn’t process this recording. Your file is unchanged. Sending it again may be charged again.',
  },
  'E-161': {
    title: 'Unusually long',
    text: 'The service has had this for more than a day. Nothing is lost; keep waiting or take it out of the list.',
  },
  'E-162': {
    title: 'None of the files were taken',
    text: 'The service took none of these files, so nothing was charged. Remove the bad one, or send them one by one.',
  },
  'E-163': {
    title: 'Deleted on the service',
    text: 'This was deleted on the service while it was being worked on. Your file is still here.',
  },
  'E-164': {
    title: 'Twice at the service',
    text: 'The service has this twice. Both are kept; nothing is deleted by itself.',
  },
  'E-170': {
    title: 'Fetching again',
    text: 'The download address has expired. It is being fetched again at no charge.',
  },
  'E-171': {
    title: 'Download interrupted',
    text: 'The download stopped half-way. What has arrived is kept, and it goes on from there.',
  },
  'E-172': {
    title: 'Download starts over',
    text: 'The download can’t go on from where it stopped, so it starts over at no charge.',
  },
  'E-173': { title: 'File arrived damaged', text: 'The file arrived damaged. It is fetched again at no charge.' },
  'E-174': {
    title: 'Unsafe download address',
    text: 'The service gave an unsafe download address, so we did not use it. Copy the details for support.',
  },
  'E-175': {
    title: 'Not enough disk space',
    text: 'Not enough disk space: {{need}} needed, {{free}} free. Nothing was lost. Free some space, then try again.',
    textPlain:
      'There is not enough disk space, or the place can’t be written. Nothing was lost. Free some space or choose another place.',
  },
};
