/** How the app reaches the service beyond address and key: older key, proxy, uploads, and the question before much is sent. */
export const network = {
  older: {
    group: 'Older key',
    title: 'Key of the older generation',
    hint: 'Only for the older routes of the service (X-Api-Key). It is kept apart from the current key.',
    none: 'None',
    masked: 'Key ending in {{suffix}}',
    enter: 'Enter older key…',
    paste: 'Paste older key',
    forget: 'Forget older key',
    forgetQuestion: 'Forget the older key?',
    forgetText:
      'It is removed from this computer. The current key stays, and the older key stays valid at the service.',
    adopt: 'Keep it as the older key',
    tested: 'Older key',
    states: {
      accepted: 'The older routes accept it.',
      refused: 'The older routes do not accept it.',
      notChecked: 'Not checked, because the service was not reached.',
    },
  },
  proxy: {
    group: 'Network',
    title: 'Proxy',
    hint: 'For everything the app sends, live speech too. Practice mode needs none.',
    modes: { system: 'As the system', none: 'None', manual: 'Custom' },
    server: 'Proxy address',
    port: 'Port',
    serverBad: 'Enter a host name or an address, without a name and password.',
    portBad: 'The port is a number from 1 to 65535.',
    oldKept: 'The proxy in use stays until this is right.',
    password:
      'A proxy that wants a name and password can be used only as the system’s: the app keeps no password of a proxy.',
  },
  uploads: { title: 'Uploads at once', hint: 'More is faster on a good line; uploads under way are not restarted.' },
  spend: {
    group: 'Credits',
    title: 'Ask before more is sent in an hour',
    hint: 'Measured by the length of the recordings, because prices are not told beforehand. The question comes before the first byte.',
    each: 'Each time',
    never: 'Never ask',
  },
};
