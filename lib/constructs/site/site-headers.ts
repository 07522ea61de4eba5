import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../../contract/http/security-headers.ts';
import { globalName } from '../global-name.ts';

const {
  'strict-transport-security': transport,
  'x-content-type-options': _always,
  'x-frame-options': frames,
  'referrer-policy': referrer,
  ...others
} = SECURITY_HEADERS;

const override = true;

/**
 * The headers of the admin site in CloudFront's form: dedicated fields if it has them, custom headers otherwise.
 * `connectTo` lists the other origins that the admin UI may call.
 */
export const siteHeaders = (
  scope: Construct,
  connectTo: readonly string[],
): cloudfront.ResponseHeadersPolicy =>
  new cloudfront.ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName: globalName(scope),
    comment: 'Cuevault admin site',
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(connectTo), override },
      contentTypeOptions: { override },
      frameOptions: { frameOption: cloudfront.HeadersFrameOption[frames], override },
      referrerPolicy: { referrerPolicy: referrer as cloudfront.HeadersReferrerPolicy, override },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(Number(/max-age=(\d+)/.exec(transport)?.[1])),
        includeSubdomains: transport.includes('includeSubDomains'),
        override,
      },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
    },
  });
