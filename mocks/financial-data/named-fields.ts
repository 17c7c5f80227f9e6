/** The fields whose content the document promises, although it does not show the schemas around them. */
export const NAMED_FIELDS: readonly string[] = [
  ...["firstName", "lastName", "username", "branding", "logo", "icon", "rssd"],
  ...["transactionDate", "postedDate", "aggregationAttemptDate"],
  // Payment instructions, the parts of the bundle, and the scores of a match.
  ...["transferInEnabled", "transferOutEnabled", "accountNumber", "descriptors"],
  ...["accountDetails", "balanceDetails", "accountIdentity", "paymentInstruction"],
  ...["holders", "nameScores", "ownerName"],
  // What enrichment adds.
  ...["transactionCategory", "entities"],
  // A webhook subscription has a URL, events, conditions and a status.
  ...["url", "condition", "subscribeFor", "includes", "excludes", "status"],
  // The rows of the billing report.
  ...["content", "lastFourReportId"],
  // The history of a report.
  ...["institutions", "accounts", "transactions", "income", "incomeStreams"],
];
