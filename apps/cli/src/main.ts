console.error("bonmf");
