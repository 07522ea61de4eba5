/** Path of the provider below the gateway. */
export const IDENTITY_PATH = '/oidc';

/** Path of the page that the link opens which signs in. */
export const LINK_PATH = '/sign-in';

/** Where the value of the link is exchanged for a pass. */
export const LINK_EXCHANGE = `${IDENTITY_PATH}/link`;

/** File of the data folder with the link of the running instance. */
export const LINK_FILE = 'sign-in-link';
