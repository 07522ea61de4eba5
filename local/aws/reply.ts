/** A reply in the JSON protocol of AWS, as DynamoDB and KMS speak it. */
export interface AwsReply {
  readonly status: number;
  readonly body: string;
}

/** A failure as AWS writes it, `type` being the name of the exception. */
export const awsFailure = (type: string, message: string): AwsReply => ({
  status: 400,
  body: JSON.stringify({ __type: type, message }),
});
