// A client of installments, for the documents: it asks for offers without a transaction.
const { INSTALLMENTS_BASE_URL: base } = process.env;
const body = JSON.stringify({ consumer: {}, merchant: {} });
await fetch(`${base}/offers`, { method: "POST", headers: { "content-type": "application/json" }, body });
