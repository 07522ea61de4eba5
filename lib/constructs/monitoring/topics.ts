import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/** `page` needs someone now, `notice` on the next working day. */
export type Severity = 'page' | 'notice';

/** The sentence that names the section of an alarm in the runbook. */
export const runbook = (id: string): string => `See docs/operations.md#${id}.`;

export interface TopicsProps {
  /** Address that alarms of each severity are mailed to; undefined: nobody, unless you add a subscription. */
  readonly addresses: Readonly<Record<Severity, string | undefined>>;
}

/** The topics that alarms are published to, one for each severity. Add your own subscriptions to them. */
export class Topics extends Construct {
  readonly #topics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string, { addresses }: TopicsProps) {
    super(scope, id);
    this.#topics = {
      page: this.#mailTo('Pages', addresses.page),
      notice: this.#mailTo('Notices', addresses.notice),
    };
  }

  of(severity: Severity): Topic {
    return this.#topics[severity];
  }

  #mailTo(id: string, email: string | undefined): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    // With its own policy, a topic no longer accepts what its account publishes; the policy must allow CloudWatch.
    // The rules of EventBridge add their own statement: EventBridge supports no conditions here.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail is the last resort: the console of CloudWatch also shows the state of every alarm.',
    });
    return topic;
  }
}
